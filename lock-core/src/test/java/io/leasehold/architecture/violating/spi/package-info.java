/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.spi;

import org.jspecify.annotations.NullMarked;
