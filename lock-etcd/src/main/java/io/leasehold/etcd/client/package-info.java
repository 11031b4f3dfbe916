/**
 * Requests to the members of an etcd cluster over gRPC: which member is asked, as whom, and what a failure means.
 *
 * <p>It knows nothing of locks. Only {@code io.leasehold.etcd} uses it.
 */
@NullMarked
package io.leasehold.etcd.client;

import org.jspecify.annotations.NullMarked;
