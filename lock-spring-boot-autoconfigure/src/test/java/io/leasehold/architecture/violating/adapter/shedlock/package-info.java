/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.adapter.shedlock;

import org.jspecify.annotations.NullMarked;
