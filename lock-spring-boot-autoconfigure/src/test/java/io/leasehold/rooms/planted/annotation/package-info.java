/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.annotation;

import org.jspecify.annotations.NullMarked;
