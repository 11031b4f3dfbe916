package io.leasehold.test.autoconfigure.slice;

import org.springframework.data.repository.CrudRepository;

/** A repository of the application. */
interface Invoices extends CrudRepository<Invoice, String> {}
