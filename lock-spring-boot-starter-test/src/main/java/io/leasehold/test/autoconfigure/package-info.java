/**
 * The test kit in Spring Boot: {@link io.leasehold.test.autoconfigure.AutoConfigureTestLocks} puts {@link
 * io.leasehold.test.TestLocks} behind the lockers of a test's application context. Only tests use this package.
 */
@NullMarked
package io.leasehold.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
