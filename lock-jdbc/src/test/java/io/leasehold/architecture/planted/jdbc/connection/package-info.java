/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.jdbc.connection;

import org.jspecify.annotations.NullMarked;
