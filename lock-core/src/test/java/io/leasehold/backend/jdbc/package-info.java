/** Tests of the locks in relational databases, on real servers. */
@NullMarked
package io.leasehold.backend.jdbc;

import org.jspecify.annotations.NullMarked;
