/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jfr;

import org.jspecify.annotations.NullMarked;
