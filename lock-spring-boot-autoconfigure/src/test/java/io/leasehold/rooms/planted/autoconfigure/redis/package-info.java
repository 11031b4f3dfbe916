/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
