package io.leasehold.servers.redis;

import io.leasehold.servers.DebianPackage;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import redis.embedded.RedisExecProvider;

/**
 * The program that the system property {@value RedisServer#PROGRAM} names when a server is started, else redis-server
 * for this machine from the embedded-redis jar. Its value {@value RedisServer#VALKEY} stands for valkey-server: that on
 * the PATH, else Debian's.
 */
final class RedisBinary {

    private RedisBinary() {}

    /** Returns the command without its arguments. The process that it starts is that of the server. */
    static List<String> command() {
        String given = System.getProperty(RedisServer.PROGRAM);
        if (given == null) {
            return Embedded.COMMAND;
        }
        return given.equals(RedisServer.VALKEY) ? Valkey.COMMAND : List.of(given);
    }

    /** Unpacked once for each JVM. */
    private static final class Embedded {

        static final List<String> COMMAND = List.of(find().toString());

        private static Path find() {
            try {
                return RedisExecProvider.defaultProvider().get().toPath();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /** Found once for each JVM. */
    private static final class Valkey {

        static final List<String> COMMAND = find();

        private static List<String> find() {
            return Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                            .split(File.pathSeparator))
                    .map(folder -> Path.of(folder, "valkey-server"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .map(program -> List.of(program.toString()))
                    .orElseGet(Valkey::ofDebian);
        }

        /** The program of valkey-server is a link to that of valkey-tools. */
        private static List<String> ofDebian() {
            Path program = DebianPackage.orBackport(
                            "valkey-server", "valkey-tools", "libjemalloc2", "liblzf1", "libatomic1")
                    .file("usr/bin/valkey-server");
            String machine = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x86_64";
            Path libraries =
                    program.resolveSibling("../lib/" + machine + "-linux-gnu").normalize();
            return List.of("env", "LD_LIBRARY_PATH=" + libraries, program.toString());
        }
    }
}
