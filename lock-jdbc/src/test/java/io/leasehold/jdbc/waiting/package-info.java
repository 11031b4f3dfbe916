/** Tests of the locks in relational databases, on real servers. */
@NullMarked
package io.leasehold.jdbc.waiting;

import org.jspecify.annotations.NullMarked;
