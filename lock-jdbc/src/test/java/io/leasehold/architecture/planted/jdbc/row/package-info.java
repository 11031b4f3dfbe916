/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.row;

import org.jspecify.annotations.NullMarked;
