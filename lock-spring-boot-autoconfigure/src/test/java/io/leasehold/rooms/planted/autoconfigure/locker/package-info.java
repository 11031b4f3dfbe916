/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
