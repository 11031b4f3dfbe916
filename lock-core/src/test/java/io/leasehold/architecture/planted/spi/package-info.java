/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.spi;

import org.jspecify.annotations.NullMarked;
