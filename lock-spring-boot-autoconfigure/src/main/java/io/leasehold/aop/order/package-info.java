/**
 * The place of the lock among the other advice of a method. Uses the advisor of {@code aop} and Spring's advisors; only
 * the wiring uses it.
 */
@NullMarked
package io.leasehold.aop.order;

import org.jspecify.annotations.NullMarked;
