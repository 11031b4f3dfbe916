/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.rooms.planted.metrics;

import org.jspecify.annotations.NullMarked;
