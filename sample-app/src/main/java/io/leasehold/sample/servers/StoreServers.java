package io.leasehold.sample.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** The servers inside the keeper, each started when it is first asked for. */
final class StoreServers implements AutoCloseable {

    private final Path run;

    private final String secret;

    private @Nullable RedisServers redis;

    private @Nullable H2Server database;

    StoreServers(Path run, String secret) {
        this.run = run;
        this.secret = secret;
    }

    synchronized Welcome start(Set<Store> stores, int place) throws Exception {
        for (Store store : stores) {
            start(store);
        }
        return new Welcome(place, database == null ? 0 : database.port(), redis == null ? List.of() : redis.ports());
    }

    private void start(Store store) throws Exception {
        if (store == Store.DATABASE) {
            database = database != null ? database : H2Server.start(secret);
        } else if (redis == null) {
            redis = switch (store) {
                case REDLOCK -> RedisServers.independent(run);
                case CLUSTER -> RedisServers.cluster(run);
                default -> RedisServers.one(run);
            };
        }
    }

    @Override
    public synchronized void close() {
        if (redis != null) {
            redis.close();
        }
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
