/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.row;

import org.jspecify.annotations.NullMarked;
