/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.context;

import org.jspecify.annotations.NullMarked;
