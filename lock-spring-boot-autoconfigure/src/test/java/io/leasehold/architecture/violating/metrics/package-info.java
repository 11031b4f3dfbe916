/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.metrics;

import org.jspecify.annotations.NullMarked;
