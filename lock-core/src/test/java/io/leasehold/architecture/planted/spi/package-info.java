/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.spi;

import org.jspecify.annotations.NullMarked;
