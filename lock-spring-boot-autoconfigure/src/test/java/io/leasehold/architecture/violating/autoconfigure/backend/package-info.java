/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.backend;

import org.jspecify.annotations.NullMarked;
