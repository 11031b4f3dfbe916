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

    /** How often a member was given up. */
    private final AtomicInteger givenUp = new AtomicInteger();

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
        return member(turn());
    }

    /** The turn of the member in use. It changes when that member is given up. */
    int turn() {
        return givenUp.get();
    }

    EtcdMember member(int turn) {
        return all.get(Math.floorMod(turn, all.size()));
    }

    /**
     * Switches to the next member, or opens a new connection to the only one.
     *
     * @param turn the turn in which the failed call was sent
     * @param answers whether the connection to the member works
     */
    void giveUp(int turn, boolean answers) {
        if (answers && all.size() == 1) {
            return;
        }
        // Only the first failure of a turn counts. Later ones must neither skip the next member nor drop its
        // connection.
        if (givenUp.compareAndSet(turn, turn + 1)) {
            member(turn).reconnect();
        }
    }

    void close() {
        all.forEach(EtcdMember::close);
    }
}
