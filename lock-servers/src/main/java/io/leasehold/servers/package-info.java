/**
 * What every real server needs that a test or the sample starts: a free port, a directory, a process that ends with this
 * JVM, a program. It uses no test framework, and no server's own package.
 */
@NullMarked
package io.leasehold.servers;

import org.jspecify.annotations.NullMarked;
