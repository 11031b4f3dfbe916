/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.planted.jdbc;

import org.jspecify.annotations.NullMarked;
