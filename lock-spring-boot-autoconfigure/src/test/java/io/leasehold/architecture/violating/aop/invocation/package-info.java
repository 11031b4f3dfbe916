/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.invocation;

import org.jspecify.annotations.NullMarked;
