/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.memory;

import org.jspecify.annotations.NullMarked;
