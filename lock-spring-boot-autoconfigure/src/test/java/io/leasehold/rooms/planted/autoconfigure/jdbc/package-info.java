/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
