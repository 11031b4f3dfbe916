/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.memory;

import org.jspecify.annotations.NullMarked;
