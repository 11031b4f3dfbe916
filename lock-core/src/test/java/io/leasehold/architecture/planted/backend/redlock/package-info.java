/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.backend.redlock;

import org.jspecify.annotations.NullMarked;
