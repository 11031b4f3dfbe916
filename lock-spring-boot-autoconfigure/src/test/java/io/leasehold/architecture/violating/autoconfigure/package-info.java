/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.autoconfigure;

import org.jspecify.annotations.NullMarked;
