/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.property;

import org.jspecify.annotations.NullMarked;
