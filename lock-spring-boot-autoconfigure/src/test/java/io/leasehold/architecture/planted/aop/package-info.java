/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.aop;

import org.jspecify.annotations.NullMarked;
