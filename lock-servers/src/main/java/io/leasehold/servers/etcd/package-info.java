/**
 * etcd as one member, as a cluster and in a container, and an operator's requests to it. This package uses
 * {@code io.leasehold.servers}.
 */
@NullMarked
package io.leasehold.servers.etcd;

import org.jspecify.annotations.NullMarked;
