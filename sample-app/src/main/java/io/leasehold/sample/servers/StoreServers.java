package io.leasehold.sample.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** The servers inside the keeper, each started when it is first asked for. */
final class StoreServers implements AutoCloseable {

    private final Path run;

    private final String secret;

    private @Nullable RedisServer redis;

    private @Nullable H2Server database;

    StoreServers(Path run, String secret) {
        this.run = run;
        this.secret = secret;
    }

    synchronized Welcome start(Set<Store> stores, int place) throws Exception {
        if (stores.contains(Store.REDIS) && redis == null) {
            redis = RedisServer.start(run);
        }
        if (stores.contains(Store.DATABASE) && database == null) {
            database = H2Server.start(secret);
        }
        return new Welcome(place, redis == null ? 0 : redis.port(), database == null ? 0 : database.port());
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
