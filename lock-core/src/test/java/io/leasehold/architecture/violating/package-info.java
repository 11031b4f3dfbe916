/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating;

import org.jspecify.annotations.NullMarked;
