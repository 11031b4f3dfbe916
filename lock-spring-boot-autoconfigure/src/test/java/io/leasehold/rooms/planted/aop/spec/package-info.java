/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.aop.spec;

import org.jspecify.annotations.NullMarked;
