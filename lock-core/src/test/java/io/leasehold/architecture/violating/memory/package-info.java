/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.memory;

import org.jspecify.annotations.NullMarked;
