/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.contract;

import org.jspecify.annotations.NullMarked;
