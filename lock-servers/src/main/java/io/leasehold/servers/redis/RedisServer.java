package io.leasehold.servers.redis;

import io.leasehold.servers.FreePort;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a free port of the loopback interface, with a directory of its own. It has no persistence
 * unless a setting enables it. It stops when it is closed, and otherwise when this JVM exits.
 */
public final class RedisServer implements AutoCloseable {

    /** The system property that names the program of the servers that are started from now on. */
    public static final String PROGRAM = "leasehold.redis.program";

    /** The value of {@link #PROGRAM} for Valkey, which behaves as Redis since 7.2 does. */
    public static final String VALKEY = "valkey";

    private static final int STARTS = 3;

    private static final Pattern CALLS = Pattern.compile("cmdstat_(?!config|info)([^:]+):calls=(\\d+)");

    private final TemporaryDirectory directory = new TemporaryDirectory("redis-");

    /** Kept for restarts. */
    private final List<String> program = RedisBinary.command();

    private final List<String> arguments;

    private final List<String> settings;

    private int port;

    private ServerProcess process;

    private RedisServer(List<String> arguments, List<String> settings) {
        this.arguments = arguments;
        this.settings = settings;
        this.port = FreePort.find();
        configure();
        this.process = launch();
        for (int i = 1; i < STARTS && !process.awaitReady(this::isReady); i++) {
            process.close();
            port = FreePort.find();
            configure();
            process = launch();
        }
        requireReady();
    }

    /** Starts a server with lines of a redis.conf, such as {@code "maxmemory 3mb"}. It is ready to answer. */
    public static RedisServer start(String... settings) {
        return new RedisServer(List.of(), List.of(settings));
    }

    /** Starts a server that writes every change to disk before it answers, so that {@link #restart()} restores it. */
    public static RedisServer startDurable(String... settings) {
        List<String> all = new ArrayList<>(List.of("appendonly yes", "appendfsync always"));
        all.addAll(List.of(settings));
        return new RedisServer(List.of(), all);
    }

    static RedisServer startSentinel(String... settings) {
        return new RedisServer(List.of("--sentinel"), List.of(settings));
    }

    /** Returns a server that all tests of this JVM share. Tests may delete its keys, but must not stop or configure it. */
    public static RedisServer shared() {
        return Shared.SERVER;
    }

    /** The host on which the server listens. */
    public String host() {
        return "127.0.0.1";
    }

    /** The port on which the server listens. */
    public int port() {
        return port;
    }

    /** The process id, which changes with each restart. */
    public long pid() {
        return process.pid();
    }

    /** The directory of its data. {@link #restartEmpty()} deletes the content. */
    public Path directory() {
        return directory.path();
    }

    /**
     * Whether the server answers at the moment.
     *
     * @param timeout how long to wait for the answer
     * @return false if it has ended, is paused or is loading its data
     */
    public boolean isResponsive(Duration timeout) {
        try (RespClient client = connect((int) timeout.toMillis())) {
            return "PONG".equals(client.command("PING"));
        } catch (IOException silent) {
            return false;
        }
    }

    /** Terminates the server (SIGTERM), as an operator would. */
    public void stop() {
        if (process.isAlive()) {
            process.resume();
            process.terminate();
        }
    }

    /** Kills the server immediately (SIGKILL). */
    public void kill() {
        process.kill();
    }

    /** Suspends the server (SIGSTOP). Connections stay open, and the server does not answer. */
    public void pause() {
        process.pause();
    }

    /** Resumes a suspended server (SIGCONT). */
    public void resume() {
        process.resume();
    }

    /**
     * Restarts a server that has ended, on its port, with the data and the configuration that it had saved. Returns
     * when the server answers. A replica that a sentinel has promoted has saved that it is the master.
     */
    public void restart() {
        requireEnded();
        process = launch();
        requireReady();
    }

    /**
     * Restarts a server that has ended, on its port, with its first configuration and without data. Returns when the
     * server answers.
     */
    public void restartEmpty() {
        requireEnded();
        directory.clear();
        configure();
        process = launch();
        requireReady();
    }

    /** Sends the server a command over a connection of its own. Returns the answer, see {@link RespClient#command}. */
    public @Nullable Object command(String... command) {
        try (RespClient client = connect(10_000)) {
            return client.command(command);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The number of calls of each command since {@code CONFIG RESETSTAT}, except those of CONFIG and INFO. */
    public SortedMap<String, Long> calls() {
        SortedMap<String, Long> calls = new TreeMap<>();
        CALLS.matcher(String.valueOf(command("INFO", "commandstats")))
                .results()
                .forEach(call -> calls.put(call.group(1), Long.valueOf(call.group(2))));
        return calls;
    }

    /**
     * Sends a write that has no effect, and waits up to a second for replicas to confirm it. Without the write, WAIT
     * could confirm data that the replicas do not have yet: on a connection that has written nothing, or for a replica
     * that was just sent a copy.
     *
     * @return whether the given number of replicas has confirmed the write
     */
    public boolean hasReplicas(int replicas) {
        try (RespClient client = connect(10_000)) {
            client.command("FUNCTION", "FLUSH");
            return Long.valueOf(replicas).equals(client.command("WAIT", Integer.toString(replicas), "1000"));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Stops the server and removes its directory. */
    @Override
    public void close() {
        process.close();
        directory.delete();
    }

    private Optional<String> setting(String name) {
        return settings.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .findFirst();
    }

    private void configure() {
        List<String> lines = new ArrayList<>(
                List.of("bind " + host(), "port " + port, "dir " + directory.path(), "save \"\"", "daemonize no"));
        lines.addAll(settings);
        try {
            Files.write(configuration(), lines);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private Path configuration() {
        return directory.path().resolve("redis.conf");
    }

    private ServerProcess launch() {
        List<String> command = new ArrayList<>(program);
        command.add(configuration().toString());
        command.addAll(arguments);
        return ServerProcess.start(directory.path(), directory.path().resolve("redis.log"), command);
    }

    /** Whether our own process answers, and not another server that has taken the port first. */
    private boolean isReady() {
        try (RespClient client = connect(2_000)) {
            if (!"PONG".equals(client.command("PING"))) {
                return false;
            }
            // a name of its own if the settings rename the command
            Object info = client.command(setting("rename-command INFO").orElse("INFO"), "server");
            return info instanceof String text && text.contains("process_id:" + pid() + "\r");
        } catch (IOException notYet) {
            return false;
        }
    }

    private RespClient connect(int timeoutMillis) throws IOException {
        RespClient client = new RespClient(port, timeoutMillis);
        Optional<String> password = setting("requirepass");
        if (password.isPresent()) {
            client.command("AUTH", password.get());
        }
        return client;
    }

    private void requireReady() {
        if (!process.awaitReady(this::isReady)) {
            String output = process.output();
            close();
            throw new IllegalStateException("redis-server ended immediately:\n" + output);
        }
    }

    private void requireEnded() {
        if (process.isAlive()) {
            throw new IllegalStateException("redis-server " + pid() + " is still running: stop or kill it first");
        }
    }

    /** Starts the server at its first use. */
    private static final class Shared {

        static final RedisServer SERVER = start();
    }
}
