/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.redlock;

import org.jspecify.annotations.NullMarked;
