/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.redlock;

import org.jspecify.annotations.NullMarked;
