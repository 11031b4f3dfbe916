package io.leasehold.sample.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A real redis-server on a free port of the loopback interface, in a session of its own. */
record RedisServer(int port, ProcessHandle process) implements AutoCloseable {

    private static final int ATTEMPTS = 3;

    static RedisServer start(Path directory) throws Exception {
        String program = RedisExecProvider.defaultProvider().get().toString();
        for (int i = 1; i < ATTEMPTS; i++) {
            try {
                return start(directory, program);
            } catch (IOException portWasTaken) {
                Files.deleteIfExists(pidFile(directory));
            }
        }
        return start(directory, program);
    }

    private static RedisServer start(Path directory, String program) throws Exception {
        int port = freePort();
        Path log = directory.resolve("redis.log");
        Path config = Files.write(
                directory.resolve("redis.conf"),
                List.of(
                        "bind 127.0.0.1",
                        "port " + port,
                        "save \"\"",
                        "appendonly yes",
                        "daemonize yes",
                        "dir " + directory,
                        "pidfile " + pidFile(directory),
                        "logfile " + log));
        Files.deleteIfExists(log);
        Process parent = new ProcessBuilder(program, config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (parent.waitFor() != 0) {
            throw new IOException("redis-server ended with " + parent.exitValue());
        }
        Patience.until("redis-server", () -> isReady(log));
        ProcessHandle process = find(directory).orElseThrow(() -> new IOException("redis-server has ended"));
        return new RedisServer(port, process);
    }

    /** The server that was started in a directory, if it runs. */
    static Optional<ProcessHandle> find(Path directory) throws IOException {
        Path pidFile = pidFile(directory);
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        long pid = Long.parseLong(Files.readString(pidFile).trim());
        return ProcessHandle.of(pid)
                .filter(process -> process.info().command().orElse("").startsWith(directory.toString()));
    }

    @Override
    public void close() {
        stop(process);
    }

    static void stop(ProcessHandle process) {
        process.destroy();
        process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }

    private static boolean isReady(Path log) throws IOException {
        String text = Files.exists(log) ? Files.readString(log) : "";
        if (text.contains("Failed listening")) {
            throw new IOException(text);
        }
        return text.contains("Ready to accept connections");
    }

    private static Path pidFile(Path directory) {
        return directory.resolve("redis.pid");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
