/**
 * A real Redis and a database for users who have configured none, so that one command starts the sample.
 *
 * <p>Both belong to a process of their own, the {@link io.leasehold.sample.servers.ServerHost}. The first instance
 * starts it, further ones join it, and it ends after the last one. It starts the servers with {@code lock-servers}.
 * Nothing here is needed to use locks.
 */
@NullMarked
package io.leasehold.sample.servers;

import org.jspecify.annotations.NullMarked;
