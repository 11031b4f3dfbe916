package io.leasehold.servers.etcd;

import io.leasehold.servers.DockerEngine;
import java.net.URI;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;

/**
 * One etcd that all tests of this JVM share. Tests may use it and delete its keys, but must neither stop nor configure
 * it. It grants leases of one second.
 *
 * <p>It is a container if there is a Docker engine that can run one, and otherwise {@link EtcdCluster#shared()}. Other
 * servers are always processes of an {@link EtcdCluster}, which has their pids, fixed ports and directories: servers
 * that tests kill, pause, restart with their data, join to a cluster, or reach through a proxy or TLS.
 */
public final class SharedEtcd {

    private static final URI ENDPOINT = start();

    private SharedEtcd() {}

    /** The address for clients. The first call starts the server. */
    public static URI endpoint() {
        return ENDPOINT;
    }

    private static URI start() {
        try {
            if (DockerEngine.isThere()) {
                return EtcdContainer.start();
            }
        } catch (ContainerLaunchException | ContainerFetchException ex) {
            // an engine without access to the registry of the images
            System.err.println("etcd runs as a process, because no container started: " + ex);
        }
        return EtcdCluster.shared().member().endpoint();
    }

    /** Returns a connection for an operator's requests. */
    public static EtcdAdmin admin() {
        return new EtcdAdmin(ENDPOINT);
    }
}
