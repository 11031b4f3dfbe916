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

    /** Starts members on other ports if another process was quicker to take one. */
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

    /**
     * Starts a cluster.
     *
     * @param size the number of members
     * @param settings further arguments for each
     * @return the cluster, ready to answer
     */
    public static EtcdCluster start(int size, String... settings) {
        return ready(size, false, List.of(settings));
    }

    /**
     * Starts one member that clients reach by TLS only.
     *
     * @param settings further arguments, which say where the certificate is
     * @return the cluster, ready to answer
     */
    public static EtcdCluster startWithTls(String... settings) {
        return ready(1, true, List.of(settings));
    }

    /**
     * One member for all tests of this JVM that do it no harm: they may use it and empty it, but neither stop nor configure
     * it. It grants leases of one second, since it calls elections sooner than usual. Tests that need no proxy in front of it
     * take {@link SharedEtcd}.
     *
     * @return the cluster, which nobody closes
     */
    public static EtcdCluster shared() {
        return Shared.SINGLE;
    }

    /**
     * Three members for all tests of this JVM that do them no harm.
     *
     * @return the cluster, which nobody closes
     */
    public static EtcdCluster sharedOfThree() {
        return SharedOfThree.THREE;
    }

    /** Where clients connect. */
    public URI[] endpoints() {
        return members.stream().map(EtcdServer::endpoint).toArray(URI[]::new);
    }

    /** The members, in the order of the endpoints. */
    public List<EtcdServer> members() {
        return members;
    }

    /** The only member, or the first. */
    public EtcdServer member() {
        return members.get(0);
    }

    /** A connection to a member for what an operator does. */
    public static EtcdAdmin admin(EtcdServer member) {
        return new EtcdAdmin(member.endpoint());
    }

    /** A connection for what an operator does. */
    public EtcdAdmin admin() {
        return admin(member());
    }

    /** The member that leads. */
    public EtcdServer leader() {
        return members.stream().filter(EtcdAdmin::leads).findFirst().orElseThrow();
    }

    /** Ends the servers and removes their directories. */
    @Override
    public void close() {
        members.forEach(EtcdServer::close);
    }

    private static EtcdCluster untilExit(EtcdCluster cluster) {
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "end-shared-etcd"));
        return cluster;
    }

    /** Started by the first test that asks for it. */
    private static final class Shared {

        static final EtcdCluster SINGLE = untilExit(start(1, "--heartbeat-interval=50", "--election-timeout=500"));
    }

    /** Started by the first test that asks for it. */
    private static final class SharedOfThree {

        static final EtcdCluster THREE = untilExit(start(3));
    }
}
