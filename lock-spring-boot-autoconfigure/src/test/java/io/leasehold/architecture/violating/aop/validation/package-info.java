/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.validation;

import org.jspecify.annotations.NullMarked;
