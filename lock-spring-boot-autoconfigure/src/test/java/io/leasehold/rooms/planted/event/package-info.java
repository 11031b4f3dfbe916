/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.event;

import org.jspecify.annotations.NullMarked;
