/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.aop.invocation;

import org.jspecify.annotations.NullMarked;
