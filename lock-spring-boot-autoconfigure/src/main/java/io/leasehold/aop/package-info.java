/**
 * From the annotation to a {@link io.leasehold.Locker}: finds the annotated methods, evaluates their keys and runs them
 * under the lock. Holds no state and no lock logic of its own.
 */
@NullMarked
package io.leasehold.aop;

import org.jspecify.annotations.NullMarked;
