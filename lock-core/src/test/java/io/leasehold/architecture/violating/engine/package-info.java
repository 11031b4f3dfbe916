/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.engine;

import org.jspecify.annotations.NullMarked;
