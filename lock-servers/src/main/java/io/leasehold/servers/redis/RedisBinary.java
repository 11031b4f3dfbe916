package io.leasehold.servers.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/**
 * The redis-server program: that of the system property {@code leasehold.redis.program}, else the one for this machine
 * from the embedded-redis jar. It is unpacked once for each JVM.
 */
final class RedisBinary {

    private static final Path PATH = find();

    private RedisBinary() {}

    static Path path() {
        return PATH;
    }

    private static Path find() {
        String given = System.getProperty("leasehold.redis.program");
        if (given != null) {
            return Path.of(given);
        }
        try {
            return RedisExecProvider.defaultProvider().get().toPath();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
