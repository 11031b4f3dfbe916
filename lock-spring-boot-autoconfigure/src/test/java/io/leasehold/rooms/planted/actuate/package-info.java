/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.actuate;

import org.jspecify.annotations.NullMarked;
