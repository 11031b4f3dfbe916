/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.table;

import org.jspecify.annotations.NullMarked;
