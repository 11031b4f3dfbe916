package io.leasehold.servers.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import redis.embedded.RedisExecProvider;

/** The redis-server program for this machine, from the embedded-redis jar. It is unpacked once for each JVM. */
final class RedisBinary {

    private static final Path PATH = unpack();

    private RedisBinary() {}

    static Path path() {
        return PATH;
    }

    private static Path unpack() {
        try {
            return RedisExecProvider.defaultProvider().get().toPath();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
