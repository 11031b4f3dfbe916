/**
 * The common parts of the real servers that tests and the sample start: a free port, a directory, a process that ends
 * with this JVM, and a program. This package uses no test framework and no package of a server.
 */
@NullMarked
package io.leasehold.servers;

import org.jspecify.annotations.NullMarked;
