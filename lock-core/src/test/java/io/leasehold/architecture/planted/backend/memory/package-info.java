/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.backend.memory;

import org.jspecify.annotations.NullMarked;
