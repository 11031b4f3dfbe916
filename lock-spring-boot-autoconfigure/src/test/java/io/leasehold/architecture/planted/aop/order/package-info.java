/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.aop.order;

import org.jspecify.annotations.NullMarked;
