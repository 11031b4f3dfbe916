/** etcd alone, as a cluster and in a container, and what an operator does with it. It uses {@code io.leasehold.servers}. */
@NullMarked
package io.leasehold.servers.etcd;

import org.jspecify.annotations.NullMarked;
