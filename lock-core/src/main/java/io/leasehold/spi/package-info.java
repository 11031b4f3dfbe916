/**
 * What a store has to offer to keep locks, and the values it speaks in. For authors of backends; applications need
 * nothing of it.
 */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
