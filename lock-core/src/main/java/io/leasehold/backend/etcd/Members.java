package io.leasehold.backend.etcd;

import io.grpc.ClientInterceptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The members of the cluster, of which one is used at a time: any can serve every request. The next one is used after one
 * that failed or let a call wait until it was cancelled.
 */
final class Members {

    private final List<Member> all;

    private final AtomicInteger current = new AtomicInteger();

    Members(EtcdOptions options, ClientInterceptor headers) {
        this.all = options.endpoints().stream()
                .map(endpoint -> new Member(endpoint, options.tls(), headers))
                .toList();
    }

    List<Member> all() {
        return all;
    }

    Member current() {
        return all.get(current.get());
    }

    /**
     * Uses another member from now on, or another connection to the only one.
     *
     * @param answers whether the connection to the member works
     */
    void giveUp(Member member, boolean answers) {
        if (answers && all.size() == 1) {
            return;
        }
        int index = all.indexOf(member);
        if (current.compareAndSet(index, (index + 1) % all.size())) {
            member.reconnect();
        }
    }

    void close() {
        all.forEach(Member::close);
    }
}
