package io.leasehold.servers.etcd;

import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Real etcd servers that form a cluster. */
public final class EtcdCluster implements AutoCloseable {

    private static final int STARTS = 3;

    private final List<EtcdServer> members;

    private EtcdCluster(int size, boolean tls, List<String> settings) {
        members = IntStream.range(0, size)
                .mapToObj(i -> new EtcdServer("member" + i, tls))
                .toList();
        String cluster = members.stream().map(EtcdServer::peer).collect(Collectors.joining(","));
        members.forEach(member -> member.launch(cluster, settings));
    }

    /** Starts members on other ports if another process has taken one of the first ones. */
    private static EtcdCluster ready(int size, boolean tls, List<String> settings) {
        for (int i = 1; ; i++) {
            EtcdCluster cluster = new EtcdCluster(size, tls, settings);
            try {
                cluster.members.forEach(EtcdServer::awaitHealthy);
                return cluster;
            } catch (RuntimeException ex) {
                boolean portTaken = cluster.members.stream().anyMatch(EtcdServer::couldNotBind);
                cluster.close();
                if (!portTaken || i == STARTS) {
                    throw ex;
                }
            }
        }
    }

    /** Starts a cluster with further arguments for each member. It is ready to answer. */
    public static EtcdCluster start(int size, String... settings) {
        return ready(size, false, List.of(settings));
    }

    /** Starts one member that accepts only TLS connections. The arguments include the paths of the certificate. */
    public static EtcdCluster startWithTls(String... settings) {
        return ready(1, true, List.of(settings));
    }

    /**
     * Returns one member that all tests of this JVM share. Tests may use it and delete its keys, but must neither stop
     * nor configure it. It grants leases of one second, because its election timeout is shorter than the default. Tests
     * that need no proxy in front of it use {@link SharedEtcd}.
     */
    public static EtcdCluster shared() {
        return Shared.SINGLE;
    }

    /** Returns three members that all tests of this JVM share. Tests must neither damage nor close them. */
    public static EtcdCluster sharedOfThree() {
        return SharedOfThree.THREE;
    }

    /** The addresses for clients. */
    public URI[] endpoints() {
        return members.stream().map(EtcdServer::endpoint).toArray(URI[]::new);
    }

    /** The members, in the order of the endpoints. */
    public List<EtcdServer> members() {
        return members;
    }

    /** The only member, or the first one. */
    public EtcdServer member() {
        return members.get(0);
    }

    /** Returns a connection to a member for an operator's requests. */
    public static EtcdAdmin admin(EtcdServer member) {
        return new EtcdAdmin(member.endpoint());
    }

    /** Returns a connection for an operator's requests. */
    public EtcdAdmin admin() {
        return admin(member());
    }

    /** The leader of the cluster. */
    public EtcdServer leader() {
        return members.stream().filter(EtcdAdmin::leads).findFirst().orElseThrow();
    }

    /** Stops the servers and removes their directories. */
    @Override
    public void close() {
        members.forEach(EtcdServer::close);
    }

    /** Starts the member at its first use. */
    private static final class Shared {

        static final EtcdCluster SINGLE = start(1, "--heartbeat-interval=50", "--election-timeout=500");
    }

    /** Starts the members at their first use. */
    private static final class SharedOfThree {

        static final EtcdCluster THREE = start(3);
    }
}
