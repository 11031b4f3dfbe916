/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.resilience;

import org.jspecify.annotations.NullMarked;
