/**
 * Methods that return a {@code Mono} or a {@code Flux}, locks that end with a reactive transaction, and the check
 * before its commit. Uses {@code invocation} and Reactor; loaded only if Reactor is on the class path. The aspect and
 * the wiring use it.
 */
@NullMarked
package io.leasehold.aop.reactive;

import org.jspecify.annotations.NullMarked;
