package io.leasehold.servers.etcd;

import io.leasehold.servers.DockerEngine;
import java.net.URI;

/**
 * One etcd for all tests of this JVM that do it no harm: they may use it and empty it, but neither stop nor configure it.
 * It grants leases of one second.
 *
 * <p>It is a container where there is a Docker engine, and {@link EtcdCluster#shared()} otherwise. Only
 * this one: servers that tests kill, pause, start again with their data, reach through a proxy or TLS, or join to a cluster
 * are always processes of an {@link EtcdCluster}, which has their pids, fixed ports and directories.
 */
public final class SharedEtcd {

    private static final URI ENDPOINT = DockerEngine.isThere()
            ? EtcdContainer.start()
            : EtcdCluster.shared().member().endpoint();

    private SharedEtcd() {}

    /** Where clients connect; the first test that asks for it starts the server. */
    public static URI endpoint() {
        return ENDPOINT;
    }

    /** A connection for what an operator does. */
    public static EtcdAdmin admin() {
        return new EtcdAdmin(ENDPOINT);
    }
}
