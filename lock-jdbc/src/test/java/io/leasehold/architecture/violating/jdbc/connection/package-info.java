/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jdbc.connection;

import org.jspecify.annotations.NullMarked;
