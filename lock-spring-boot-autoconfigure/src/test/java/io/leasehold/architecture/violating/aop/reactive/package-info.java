/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.reactive;

import org.jspecify.annotations.NullMarked;
