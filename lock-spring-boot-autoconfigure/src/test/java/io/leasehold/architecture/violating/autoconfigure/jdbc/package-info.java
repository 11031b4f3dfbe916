/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
