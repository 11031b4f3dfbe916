/**
 * The test kit for applications that lock. {@link io.leasehold.test.TestLocks} replaces the store and the clock, and
 * causes the faults that a test needs. {@link io.leasehold.test.LockAssert} checks the body of a locked method, and
 * {@link io.leasehold.test.LockAssertions} handles and lockers. This package may use the engine and the memory store.
 * Only tests use it.
 */
@NullMarked
package io.leasehold.test;

import org.jspecify.annotations.NullMarked;
