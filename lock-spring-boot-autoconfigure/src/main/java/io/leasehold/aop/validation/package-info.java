/**
 * Validates every annotated method of every bean at start-up and fails the start if one would run without its lock.
 * Uses {@code aop}, {@code spec} and the bean factory, and holds the processor for native images. Only the wiring uses
 * it.
 */
@NullMarked
package io.leasehold.aop.validation;

import org.jspecify.annotations.NullMarked;
