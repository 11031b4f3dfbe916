package io.leasehold.test.autoconfigure.slice;

/** What a payment returns. */
record Receipt(String invoice, long amount) {}
