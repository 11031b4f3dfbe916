/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jdbc.row;

import org.jspecify.annotations.NullMarked;
