/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.event;

import org.jspecify.annotations.NullMarked;
