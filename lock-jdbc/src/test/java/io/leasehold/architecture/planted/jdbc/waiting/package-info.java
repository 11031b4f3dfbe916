/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.waiting;

import org.jspecify.annotations.NullMarked;
