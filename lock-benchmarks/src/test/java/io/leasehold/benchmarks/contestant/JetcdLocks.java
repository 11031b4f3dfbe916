package io.leasehold.benchmarks.contestant;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** etcd's own lock service through jetcd, with a lease for each lock. The lease is not renewed. */
final class JetcdLocks implements LockClient {

    private final Client client;

    private final long seconds;

    JetcdLocks(URI server, Duration ttl) {
        client = Client.builder().endpoints(server).build();
        seconds = ttl.toSeconds();
    }

    @Override
    public Hold acquire(String key) throws Exception {
        long lease = client.getLeaseClient().grant(seconds).get().getID();
        ByteSequence name = ByteSequence.from("jetcd/" + key, StandardCharsets.UTF_8);
        ByteSequence place = client.getLockClient().lock(name, lease).get().getKey();
        return () -> {
            client.getLockClient().unlock(place).get();
            client.getLeaseClient().revoke(lease).get();
        };
    }
}
