/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.redlock;

import org.jspecify.annotations.NullMarked;
