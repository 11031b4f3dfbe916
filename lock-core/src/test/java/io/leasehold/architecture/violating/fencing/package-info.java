/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.fencing;

import org.jspecify.annotations.NullMarked;
