/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
