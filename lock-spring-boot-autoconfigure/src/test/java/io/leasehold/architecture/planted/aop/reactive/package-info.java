/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.aop.reactive;

import org.jspecify.annotations.NullMarked;
