package io.leasehold.benchmarks.store;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.servers.redis.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Counts commands with Redis's MONITOR, which distinguishes commands of clients from commands inside scripts. */
public final class CommandLog {

    private static final int LONGEST_SILENCE_MILLIS = 60_000;

    private static final String END = "end-of-log";

    private final RedisServer server;

    private final RespClient monitor;

    private final CompletableFuture<CommandCounts> counts;

    CommandLog(RedisServer server) {
        this.server = server;
        try {
            this.monitor = new RespClient(server.port(), LONGEST_SILENCE_MILLIS);
            monitor.command("MONITOR");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        this.counts = CompletableFuture.supplyAsync(this::count, task -> new Thread(task, "monitor").start());
    }

    /**
     * Stops listening.
     *
     * @return the number of commands up to now
     */
    public CommandCounts end() {
        try (monitor) {
            server.command("ECHO", END);
            return counts.orTimeout(LONGEST_SILENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    private CommandCounts count() {
        long sent = 0;
        long scripted = 0;
        try {
            while (true) {
                String line = String.valueOf(monitor.receive());
                if (line.contains(END)) {
                    return new CommandCounts(sent, scripted);
                } else if (line.contains(" lua] ")) {
                    scripted++;
                } else {
                    sent++;
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
