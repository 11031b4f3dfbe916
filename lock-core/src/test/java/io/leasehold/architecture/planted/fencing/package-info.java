/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.fencing;

import org.jspecify.annotations.NullMarked;
