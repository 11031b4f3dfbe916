package io.leasehold.simulation;

import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection to a server, and the connections that replace it when it breaks. Each connection delivers in
 * order in both directions.
 *
 * <p>The network behaves like a real one. Messages take time, a direction may stall, and a connection may break. When
 * it breaks, all replies in transit are lost, and so is a part of the requests: the first ones still arrive, possibly
 * much later. A client that resends sends each unanswered command again on its next connection, unless the command was
 * given up. Other clients report an unknown outcome.
 */
final class SimulatedLink {

    private static final long LATEST = 4_000_000_000L;

    private final SimulatedProcess process;

    private final SimulatedServer server;

    private final SimulatedNetwork network;

    private final boolean resends;

    private final List<Call<?>> unanswered = new ArrayList<>();

    private final List<CompletableFuture<Void>> openers = new ArrayList<>();

    private @Nullable Connection connection;

    private boolean connecting;

    private boolean closed;

    private Runnable afterConnect = () -> {};

    private Runnable afterBreak = () -> {};

    SimulatedLink(SimulatedProcess process, SimulatedServer server, SimulatedNetwork network, boolean resends) {
        this.process = process;
        this.server = server;
        this.network = network;
        this.resends = resends;
        network.add(this);
    }

    SimulatedProcess process() {
        return process;
    }

    SimulatedServer server() {
        return server;
    }

    /** Sets the client's actions after each new connection, and after it noticed that a connection broke. */
    void whenever(Runnable connected, Runnable broken) {
        afterConnect = connected;
        afterBreak = broken;
    }

    /** Returns a future that completes when there is a connection. */
    CompletableFuture<Void> connect() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        if (connection != null) {
            opened.complete(null);
        } else {
            openers.add(opened);
            open();
        }
        return opened;
    }

    /** Whether the server has a connection of this client that it does not know to be broken. */
    boolean isConnected() {
        return connection != null && !connection.broken;
    }

    /** Sends a command as soon as there is a connection. */
    <S extends SimulatedServer, T> CompletableFuture<T> call(
            Class<S> type, Supplier<String> what, Function<S, T> command) {
        Call<T> call = new Call<>(what, any -> command.apply(type.cast(any)));
        if (closed) {
            call.reply.completeExceptionally(new BackendFailure(Effect.NOT_DONE, "closed", null));
            return call.reply;
        }
        unanswered.add(call);
        if (connection == null) {
            open();
        } else {
            connection.send(call);
        }
        return call.reply;
    }

    /**
     * Sends a message from the server to the client. The message is lost if the connection breaks before it arrives.
     */
    void push(Runnable message) {
        if (connection != null) {
            connection.receive(message);
        }
    }

    /**
     * Breaks the connection.
     *
     * @param lateness the delay after which the remaining requests in transit arrive
     * @param noticedAfter the time after which the client notices
     */
    void breakConnection(long lateness, long noticedAfter) {
        Connection broken = connection;
        if (broken != null && !broken.broken) {
            process.simulation().history().add(now(), "network", process, " is cut off from ", server.machine());
            broken.cut(lateness);
            process.simulation().after(noticedAfter, () -> process.client().execute(() -> noticed(broken)));
        }
    }

    /** Closes the client's connection with everything in transit. The client opens another one when it needs it. */
    void abort() {
        Connection aborted = connection;
        if (aborted != null) {
            aborted.cut(network.random().nextInt(4) == 0 ? network.random().nextLong(LATEST) : 0);
            noticed(aborted);
        }
    }

    void close() {
        closed = true;
        failUnanswered("closed");
    }

    private void open() {
        if (connecting || closed || connection != null) {
            return;
        }
        connecting = true;
        // three messages, each with a delay of its own: thrice a long one would exceed the command timeout without a
        // fault
        long delay = 0;
        for (int message = 0; message < 3; message++) {
            delay += network.delay(process, server);
        }
        process.simulation().after(delay, () -> process.client().execute(this::opened));
    }

    private void opened() {
        if (network.refuses(process, server)) {
            process.simulation()
                    .after(network.reconnectDelay(), () -> process.client().execute(this::opened));
            return;
        }
        connecting = false;
        Connection fresh = new Connection();
        connection = fresh;
        afterConnect.run();
        List<CompletableFuture<Void>> waiting = List.copyOf(openers);
        openers.clear();
        unanswered.removeIf(call -> call.reply.isDone());
        List.copyOf(unanswered).forEach(fresh::send);
        waiting.forEach(opener -> opener.complete(null));
    }

    private void noticed(Connection broken) {
        if (connection != broken) {
            return;
        }
        connection = null;
        afterBreak.run();
        if (resends) {
            process.simulation().after(network.reconnectDelay(), this::open);
        } else {
            failUnanswered("the connection broke");
        }
    }

    private void failUnanswered(String reason) {
        List<Call<?>> open = List.copyOf(unanswered);
        unanswered.clear();
        BackendFailure failure = new BackendFailure(Effect.UNKNOWN, reason, null);
        open.forEach(call -> call.reply.completeExceptionally(failure));
    }

    private long now() {
        return process.simulation().now();
    }

    /** A command and its answer. The description is used only in histories that are shown. */
    private record Call<T>(Supplier<String> what, Function<SimulatedServer, T> command, CompletableFuture<T> reply) {
        Call(Supplier<String> what, Function<SimulatedServer, T> command) {
            this(what, command, new CompletableFuture<>());
        }
    }

    /** One connection, in order in both directions. */
    private final class Connection {

        private long lastToServer;

        private long lastToClient;

        private boolean broken;

        private int sent;

        private int arrived;

        /** The number of requests of a broken connection that still arrive. */
        private int cutAfter = Integer.MAX_VALUE;

        private long lateness;

        void send(Call<?> call) {
            int number = sent++;
            lastToServer = Math.max(lastToServer + 1, now() + network.toServer(process, server));
            process.simulation().history().add(now(), process, "-> ", server.machine(), " ", call.what());
            process.simulation().at(lastToServer, () -> arrive(call, number, false));
        }

        void receive(Runnable message) {
            lastToClient = Math.max(lastToClient + 1, now() + network.toClient(process, server));
            process.simulation().at(lastToClient, () -> {
                if (!broken && !closed) {
                    process.client().execute(message);
                }
            });
        }

        void cut(long late) {
            broken = true;
            lateness = late;
            cutAfter = arrived + network.random().nextInt(sent - arrived + 1);
        }

        private void arrive(Call<?> call, int number, boolean late) {
            if (number >= cutAfter) {
                process.simulation().history().add(now(), "network", "loses ", process, "'s ", call.what());
            } else if (broken && lateness > 0 && !late) {
                process.simulation().after(lateness, () -> arrive(call, number, true));
            } else {
                arrived++;
                execute(call);
            }
        }

        private <T> void execute(Call<T> call) {
            boolean oldCopy = broken && resends;
            Function<SimulatedServer, T> command = oldCopy ? any -> any.executeOldCopy(call.command()) : call.command();
            server.execute(command, (answer, failure) -> {
                process.simulation()
                        .history()
                        .add(
                                now(),
                                server,
                                "executes ",
                                process,
                                "'s ",
                                call.what(),
                                ": ",
                                failure == null ? answer : failure);
                if (!broken) {
                    receive(() -> answered(call, answer, failure));
                }
            });
        }

        private <T> void answered(Call<T> call, @Nullable T answer, @Nullable RuntimeException failure) {
            unanswered.remove(call);
            if (failure == null) {
                call.reply().complete(answer);
            } else {
                call.reply().completeExceptionally(failure);
            }
        }
    }
}
