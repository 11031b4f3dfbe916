package io.leasehold.etcd.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.leasehold.support.SafeLogging;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects the answers of a member that belongs to another cluster than the first member that answered: two processes
 * that use two clusters would both be granted the same lock. A call whose answer is rejected fails as if the member
 * were down.
 *
 * <p>Another cluster is accepted after all endpoints have answered for it. The cluster was then replaced, for instance
 * restored from a snapshot.
 */
final class ClusterCheck {

    private static final Logger log = LoggerFactory.getLogger(ClusterCheck.class);

    private static final String OTHER_CLUSTER = "the endpoint belongs to another etcd cluster";

    private final List<URI> endpoints;

    private final Map<URI, Long> clusters = new HashMap<>();

    /** 0 until a member has answered. */
    private long accepted;

    ClusterCheck(List<URI> endpoints) {
        this.endpoints = endpoints.stream().distinct().toList();
    }

    static boolean isOtherCluster(Status status) {
        return EtcdErrors.says(status, OTHER_CLUSTER);
    }

    /** Checks the answers of a member. */
    ClientInterceptor of(URI endpoint) {
        return new Answers(endpoint);
    }

    /** Returns the reason for which an answer is rejected, or {@code null}. */
    synchronized @Nullable String rejection(URI endpoint, long cluster) {
        if (cluster == 0) {
            // A proxy may leave it out.
            return null;
        }
        Long before = clusters.put(endpoint, cluster);
        if (accepted == 0) {
            accepted = cluster;
        }
        if (cluster == accepted) {
            return null;
        }
        String difference = "cluster " + Long.toHexString(cluster) + " instead of " + Long.toHexString(accepted);
        List<URI> missing = endpoints.stream()
                .filter(other -> !Objects.equals(clusters.get(other), cluster))
                .toList();
        if (missing.isEmpty()) {
            accepted = cluster;
            SafeLogging.log(() -> log.warn(
                    "All etcd endpoints now belong to {}. Fencing tokens may be lower than before.", difference));
            return null;
        }
        if (before == null || before != cluster) {
            SafeLogging.log(() -> log.error(
                    "etcd at {} belongs to {} and is not used. Remove it from 'lock.etcd.endpoints', or let it join the"
                            + " cluster of the other endpoints.",
                    endpoint,
                    difference));
        }
        return OTHER_CLUSTER + ": " + difference + ". If the cluster was replaced, start its members at "
                + missing.stream().map(URI::toString).collect(Collectors.joining(", "))
                + ", or remove these from 'lock.etcd.endpoints' and restart the application";
    }

    private final class Answers implements ClientInterceptor {

        private final URI endpoint;

        Answers(URI endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(checked(listener, delegate()), headers);
                }
            };
        }

        private <A> ClientCall.Listener<A> checked(ClientCall.Listener<A> listener, ClientCall<?, A> call) {
            return new SimpleForwardingClientCallListener<>(listener) {

                private @Nullable String rejected;

                @Override
                public void onMessage(A answer) {
                    if (rejected == null) {
                        rejected = rejection(endpoint, clusterOf(answer));
                    }
                    if (rejected == null) {
                        super.onMessage(answer);
                    } else {
                        call.cancel(rejected, null);
                    }
                }

                @Override
                public void onClose(Status status, Metadata trailers) {
                    super.onClose(rejected == null ? status : Status.UNAVAILABLE.withDescription(rejected), trailers);
                }
            };
        }

        private static long clusterOf(Object answer) {
            if (answer instanceof Message message) {
                FieldDescriptor header = message.getDescriptorForType().findFieldByName("header");
                if (header != null && message.getField(header) instanceof ResponseHeader filled) {
                    return filled.getClusterId();
                }
            }
            return 0;
        }
    }
}
