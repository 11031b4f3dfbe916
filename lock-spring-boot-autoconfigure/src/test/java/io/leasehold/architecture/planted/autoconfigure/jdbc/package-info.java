/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
