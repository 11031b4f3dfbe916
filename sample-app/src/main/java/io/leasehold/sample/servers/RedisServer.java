package io.leasehold.sample.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/** A real redis-server on a free port of the loopback interface, in a session of its own. */
record RedisServer(int port, ProcessHandle process) implements AutoCloseable {

    private static final int ATTEMPTS = 3;

    private static final int BUS_OFFSET = 10_000;

    private static final int HIGHEST_PORT = 65_535;

    /** Unpacks the program; all servers of a run may use it. */
    static String program() throws IOException {
        return RedisExecProvider.defaultProvider().get().toString();
    }

    static RedisServer start(String program, Path run, String name, List<String> settings) throws Exception {
        Path directory = Files.createDirectories(run.resolve(name));
        for (int i = 1; i < ATTEMPTS; i++) {
            try {
                return start(program, directory, settings);
            } catch (IOException portWasTaken) {
                Files.deleteIfExists(pidFile(directory));
            }
        }
        return start(program, directory, settings);
    }

    private static RedisServer start(String program, Path directory, List<String> settings) throws Exception {
        int port = freePort();
        Path log = directory.resolve("redis.log");
        List<String> lines = new ArrayList<>(List.of(
                "bind 127.0.0.1",
                "port " + port,
                "save \"\"",
                "daemonize yes",
                "dir " + directory,
                "pidfile " + pidFile(directory),
                "logfile " + log));
        lines.addAll(settings);
        Path config = Files.write(directory.resolve("redis.conf"), lines);
        Files.deleteIfExists(log);
        Process parent = new ProcessBuilder(program, config.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (parent.waitFor() != 0) {
            throw new IOException("redis-server ended with " + parent.exitValue());
        }
        Patience.until("redis-server", () -> isReady(log));
        ProcessHandle process = read(pidFile(directory)).orElseThrow(() -> new IOException("redis-server has ended"));
        return new RedisServer(port, process);
    }

    /** The servers that were started in a run and are still there. */
    static List<ProcessHandle> find(Path run) throws IOException {
        List<ProcessHandle> found = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(run, Files::isDirectory)) {
            for (Path directory : directories) {
                read(pidFile(directory))
                        .filter(process -> process.info().command().orElse("").startsWith(run.toString()))
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<ProcessHandle> read(Path pidFile) throws IOException {
        return Files.exists(pidFile)
                ? ProcessHandle.of(Long.parseLong(Files.readString(pidFile).trim()))
                : Optional.empty();
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

    /** A port that leaves room for the one that a node of a cluster takes 10,000 above. */
    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (socket.getLocalPort() + BUS_OFFSET <= HIGHEST_PORT) {
                    return socket.getLocalPort();
                }
            }
        }
    }
}
