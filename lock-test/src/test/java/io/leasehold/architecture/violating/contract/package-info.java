/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.contract;

import org.jspecify.annotations.NullMarked;
