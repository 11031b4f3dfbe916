/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.aop.transaction;

import org.jspecify.annotations.NullMarked;
