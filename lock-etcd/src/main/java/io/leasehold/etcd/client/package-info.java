/**
 * Requests to the members of an etcd cluster over gRPC: the choice of the member, the login, and the classification of
 * failures.
 *
 * <p>This package knows nothing of locks. Only {@code io.leasehold.etcd} uses it.
 */
@NullMarked
package io.leasehold.etcd.client;

import org.jspecify.annotations.NullMarked;
