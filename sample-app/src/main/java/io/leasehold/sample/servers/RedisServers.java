package io.leasehold.sample.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The redis-servers that a kind of store is made of. */
record RedisServers(List<RedisServer> nodes) implements AutoCloseable {

    private static final int INDEPENDENT = 5;

    /** One server. */
    static RedisServers one(Path run) throws Exception {
        return start(run, 1, List.of("appendonly yes"));
    }

    /** Five that know nothing of each other, and forget nothing, so that they may vote from the start. */
    static RedisServers independent(Path run) throws Exception {
        return start(run, INDEPENDENT, List.of("appendonly yes", "appendfsync always"));
    }

    /** Three masters with a replica each. */
    static RedisServers cluster(Path run) throws Exception {
        RedisServers servers = start(
                run,
                2 * RedisClusterSetup.MASTERS,
                List.of(
                        "appendonly yes",
                        "cluster-enabled yes",
                        "cluster-node-timeout 2000",
                        "repl-diskless-sync-delay 0",
                        "min-replicas-to-write 1"));
        try {
            new RedisClusterSetup(servers.ports()).run();
            return servers;
        } catch (Exception ex) {
            servers.close();
            throw ex;
        }
    }

    private static RedisServers start(Path run, int count, List<String> settings) throws Exception {
        RedisServers servers = new RedisServers(new ArrayList<>());
        try {
            String program = RedisServer.program();
            for (int i = 0; i < count; i++) {
                servers.nodes.add(RedisServer.start(program, run, "redis-" + i, settings));
            }
            return servers;
        } catch (Exception ex) {
            servers.close();
            throw ex;
        }
    }

    List<Integer> ports() {
        return nodes.stream().map(RedisServer::port).toList();
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }
}
