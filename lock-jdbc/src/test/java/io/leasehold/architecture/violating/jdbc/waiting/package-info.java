/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.jdbc.waiting;

import org.jspecify.annotations.NullMarked;
