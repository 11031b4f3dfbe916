/**
 * Locks in etcd, as queues of keys in the order of their create revisions.
 *
 * <p>The backend speaks gRPC through the message classes and stubs of {@code io.etcd:jetcd-grpc}. It uses neither
 * {@code jetcd-core} nor etcd's JSON gateway; docs/decisions/etcd-client.md explains why.
 */
@NullMarked
package io.leasehold.etcd;

import org.jspecify.annotations.NullMarked;
