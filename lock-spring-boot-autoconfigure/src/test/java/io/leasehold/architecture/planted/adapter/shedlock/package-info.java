/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.adapter.shedlock;

import org.jspecify.annotations.NullMarked;
