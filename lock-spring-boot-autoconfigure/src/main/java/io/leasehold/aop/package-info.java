/**
 * The entry from a call of an annotated method to its lock: the aspect, the advisor for Spring's proxies and the aspect
 * for AspectJ's weaver. Uses all packages below except {@code validation} and {@code order}. The wiring uses it.
 */
@NullMarked
package io.leasehold.aop;

import org.jspecify.annotations.NullMarked;
