/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.resilience;

import org.jspecify.annotations.NullMarked;
