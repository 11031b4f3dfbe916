/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.event;

import org.jspecify.annotations.NullMarked;
