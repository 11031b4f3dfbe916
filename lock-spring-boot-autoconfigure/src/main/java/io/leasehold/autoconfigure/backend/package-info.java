/**
 * Chooses, creates and closes the stores of lockers. Of the auto-configuration, it uses only {@code property}. The
 * packages of the stores, {@code locker} and {@code io.leasehold.autoconfigure} use it.
 */
@NullMarked
package io.leasehold.autoconfigure.backend;

import org.jspecify.annotations.NullMarked;
