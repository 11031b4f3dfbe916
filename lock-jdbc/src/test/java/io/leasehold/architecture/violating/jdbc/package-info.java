/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jdbc;

import org.jspecify.annotations.NullMarked;
