/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.adapter.cache;

import org.jspecify.annotations.NullMarked;
