/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.autoconfigure.property;

import org.jspecify.annotations.NullMarked;
