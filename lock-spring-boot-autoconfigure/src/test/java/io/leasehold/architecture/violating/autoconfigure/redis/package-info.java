/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
