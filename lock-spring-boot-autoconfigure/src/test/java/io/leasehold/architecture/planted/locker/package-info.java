/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.locker;

import org.jspecify.annotations.NullMarked;
