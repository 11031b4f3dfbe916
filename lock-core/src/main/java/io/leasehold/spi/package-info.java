/**
 * The operations that a store provides to keep locks, and their commands and answers. This package is for authors of
 * backends; applications do not need it.
 */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
