/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.actuate;

import org.jspecify.annotations.NullMarked;
