/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.metrics;

import org.jspecify.annotations.NullMarked;
