/**
 * How locks use connections: a small pool of their own, an executor that does SQL work on its own threads, sessions that are
 * set up for locks, what differs between databases, and what their errors mean. Sees no table; the tables, those who wait and
 * row locks use it.
 */
@NullMarked
package io.leasehold.jdbc.connection;

import org.jspecify.annotations.NullMarked;
