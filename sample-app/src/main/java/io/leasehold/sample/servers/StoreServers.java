package io.leasehold.sample.servers;

import io.leasehold.servers.database.H2Server;
import io.leasehold.servers.redis.RedisCluster;
import io.leasehold.servers.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** The servers inside the server host, each started when it is first asked for. */
final class StoreServers implements AutoCloseable {

    private static final int INDEPENDENT = 5;

    private static final int MASTERS = 3;

    private final Path run;

    private final String secret;

    private final List<RedisServer> redis = new ArrayList<>();

    private @Nullable H2Server database;

    StoreServers(Path run, String secret) {
        this.run = run;
        this.secret = secret;
    }

    synchronized JoinReply start(Set<Store> stores, int index) throws SQLException {
        for (Store store : stores) {
            start(store);
        }
        return new JoinReply(
                index,
                database == null ? 0 : database.port(),
                redis.stream().map(RedisServer::port).toList());
    }

    private void start(Store store) throws SQLException {
        if (store == Store.DATABASE) {
            database = database != null ? database : H2Server.start(secret);
        } else if (redis.isEmpty()) {
            startRedis(store);
        }
    }

    private void startRedis(Store store) {
        if (store == Store.CLUSTER) {
            redis.addAll(RedisCluster.start(
                            MASTERS, 1, "appendonly yes", "cluster-node-timeout 2000", "min-replicas-to-write 1")
                    .nodes());
            return;
        }
        List<RedisServer> started = new ArrayList<>();
        try {
            for (int i = 0; i < (store == Store.REDLOCK ? INDEPENDENT : 1); i++) {
                started.add(RedisServer.startDurable());
            }
        } catch (RuntimeException ex) {
            // a part of them would be handed out to the next instance
            started.forEach(RedisServer::close);
            throw ex;
        }
        redis.addAll(started);
    }

    @Override
    public synchronized void close() {
        redis.forEach(RedisServer::close);
        if (database != null) {
            database.close();
        }
        try {
            FileSystemUtils.deleteRecursively(run);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
