/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.aop.reactive;

import org.jspecify.annotations.NullMarked;
