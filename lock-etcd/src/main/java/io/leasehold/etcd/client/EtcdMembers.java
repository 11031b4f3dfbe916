package io.leasehold.etcd.client;

import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, of which one is used at a time: any can serve every request. The next one is used after one
 * that failed or let a call wait until it was cancelled.
 */
public final class EtcdMembers {

    private final List<EtcdMember> all;

    private final AtomicInteger current = new AtomicInteger();

    EtcdMembers(List<URI> endpoints, @Nullable ChannelCredentials tls, ClientInterceptor headers) {
        this.all = endpoints.stream()
                .map(endpoint -> new EtcdMember(endpoint, tls, headers))
                .toList();
    }

    public List<EtcdMember> all() {
        return all;
    }

    EtcdMember current() {
        return all.get(current.get());
    }

    /**
     * Uses another member from now on, or another connection to the only one.
     *
     * @param answers whether the connection to the member works
     */
    void giveUp(EtcdMember member, boolean answers) {
        if (answers && all.size() == 1) {
            return;
        }
        int index = all.indexOf(member);
        if (current.compareAndSet(index, (index + 1) % all.size())) {
            member.reconnect();
        }
    }

    void close() {
        all.forEach(EtcdMember::close);
    }
}
