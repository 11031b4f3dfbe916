/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.spec;

import org.jspecify.annotations.NullMarked;
