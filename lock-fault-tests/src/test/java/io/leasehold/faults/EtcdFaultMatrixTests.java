package io.leasehold.faults;

import io.leasehold.etcd.EtcdLockBackend;
import io.leasehold.etcd.EtcdOptions;
import io.leasehold.servers.etcd.EtcdCluster;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** One etcd. */
class EtcdFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return new EtcdStore(EtcdCluster.shared());
    }

    @Override
    BreakableStore ownStore() {
        EtcdCluster own = EtcdCluster.start(1, "--heartbeat-interval=50", "--election-timeout=500");
        return new EtcdStore(own) {

            @Override
            Set<ServerFault> serverFaults() {
                return ServerFault.WITH_DATA;
            }

            @Override
            public void close() {
                own.member().resume();
                own.close();
            }
        };
    }

    private static class EtcdStore extends BreakableStore {

        private final EtcdCluster cluster;

        EtcdStore(EtcdCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        String name() {
            return "etcd";
        }

        @Override
        List<Integer> ports() {
            return List.of(cluster.member().port());
        }

        @Override
        Connection connect(List<Integer> ports) {
            URI endpoint = URI.create("http://127.0.0.1:" + ports.get(0));
            return new Connection(new EtcdLockBackend(
                    EtcdOptions.of(endpoint).withKeyPrefix("fault-matrix/"), System::nanoTime, InstantSource.system()));
        }

        @Override
        Duration ttl() {
            return Duration.ofSeconds(2);
        }

        /**
         * etcd's leases are half a second longer than the ttl, rounded up, and etcd checks only periodically for
         * expired leases.
         */
        @Override
        Duration recovery() {
            return ttl().plusSeconds(2);
        }

        @Override
        void strike(ServerFault fault, List<Integer> nodes) {
            if (fault.pauses()) {
                cluster.member().pause();
            } else {
                cluster.member().kill();
            }
        }

        @Override
        void heal(ServerFault fault, List<Integer> nodes) {
            if (fault.pauses()) {
                cluster.member().resume();
            } else {
                cluster.member().restart();
            }
        }
    }
}
