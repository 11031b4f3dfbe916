/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jdbc.table;

import org.jspecify.annotations.NullMarked;
