/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.resilience;

import org.jspecify.annotations.NullMarked;
