package io.leasehold.test.autoconfigure.slice;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application that locks, whose slices are tested as if it did not. */
@SpringBootApplication
class SlicedApplication {}
