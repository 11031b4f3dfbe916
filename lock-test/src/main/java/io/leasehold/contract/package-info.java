/**
 * The contract of all backends, as tests that every backend passes unchanged. It uses the API, {@code spi}, JUnit,
 * AssertJ and Awaitility. Only the tests of stores use it.
 */
@NullMarked
package io.leasehold.contract;

import org.jspecify.annotations.NullMarked;
