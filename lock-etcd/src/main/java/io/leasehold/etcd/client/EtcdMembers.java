package io.leasehold.etcd.client;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster. One is used at a time, since any can serve every request. The next one is used after a
 * member failed, or let a call wait until it was cancelled.
 */
public final class EtcdMembers {

    private final List<EtcdMember> all;

    private final AtomicInteger current = new AtomicInteger();

    EtcdMembers(List<URI> endpoints, @Nullable ChannelCredentials tls, ClientInterceptor headers) {
        ClusterCheck clusters = new ClusterCheck(endpoints);
        this.all = endpoints.stream()
                .map(endpoint -> new EtcdMember(endpoint, tls, endpoints.size() == 1, headers, clusters.of(endpoint)))
                .toList();
    }

    public List<EtcdMember> all() {
        return all;
    }

    EtcdMember current() {
        return all.get(current.get());
    }

    /**
     * Switches to the next member, or opens a new connection to the only one.
     *
     * @param answers whether the connection to the member works
     */
    void giveUp(EtcdMember member, boolean answers) {
        if (answers && all.size() == 1) {
            return;
        }
        int index = all.indexOf(member);
        // Only the first failure switches: later failures of the same member must not skip the next one.
        if (current.compareAndSet(index, (index + 1) % all.size())) {
            member.reconnect();
        }
    }

    void close() {
        all.forEach(EtcdMember::close);
    }
}
