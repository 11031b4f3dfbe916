/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
