/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.observation;

import org.jspecify.annotations.NullMarked;
