/**
 * The operations that a store provides to keep locks, and their commands and answers. This package is for authors of
 * backends; applications do not need it. It uses only the API. The engine, the stores and their decorators use it.
 */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
