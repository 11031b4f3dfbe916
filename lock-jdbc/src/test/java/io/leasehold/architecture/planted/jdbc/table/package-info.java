/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.table;

import org.jspecify.annotations.NullMarked;
