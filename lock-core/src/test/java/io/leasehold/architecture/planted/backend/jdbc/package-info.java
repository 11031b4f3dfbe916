/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.backend.jdbc;

import org.jspecify.annotations.NullMarked;
