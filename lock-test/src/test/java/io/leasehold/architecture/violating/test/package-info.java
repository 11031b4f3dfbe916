/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.test;

import org.jspecify.annotations.NullMarked;
