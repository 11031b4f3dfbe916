/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.order;

import org.jspecify.annotations.NullMarked;
