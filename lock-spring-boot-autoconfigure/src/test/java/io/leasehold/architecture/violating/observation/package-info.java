/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.observation;

import org.jspecify.annotations.NullMarked;
