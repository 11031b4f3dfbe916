/**
 * Locks in etcd, as lines of keys in the order of their create revisions.
 *
 * <p>It speaks gRPC through the message classes and stubs of {@code io.etcd:jetcd-grpc}, not through {@code jetcd-core} and
 * not through etcd's JSON gateway; docs/decisions/etcd-client.md says why.
 */
@NullMarked
package io.leasehold.etcd;

import org.jspecify.annotations.NullMarked;
