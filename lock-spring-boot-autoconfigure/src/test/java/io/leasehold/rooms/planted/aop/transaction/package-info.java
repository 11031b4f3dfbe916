/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.aop.transaction;

import org.jspecify.annotations.NullMarked;
