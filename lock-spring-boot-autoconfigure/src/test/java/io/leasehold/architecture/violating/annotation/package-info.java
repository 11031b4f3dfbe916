/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.annotation;

import org.jspecify.annotations.NullMarked;
