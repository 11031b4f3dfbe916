package io.leasehold.simulation;

import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a store, with a clock of its own, which may stop for a while. It also records the grants for the
 * oracles.
 */
class SimulatedServer {

    private final SimulatedProcess machine;

    private final Map<Token, Long> grants = new HashMap<>();

    private Consumer<Token> whenRemoved = token -> {};

    private Revoked whenRevoked = (id, token, lastFence) -> {};

    private boolean executesOldCopy;

    private long dataLostAt = -1;

    SimulatedServer(Simulation simulation, String name, double speed) {
        this.machine = new SimulatedProcess(simulation, name, speed, 1_000_000_000L);
    }

    final SimulatedProcess machine() {
        return machine;
    }

    final Simulation simulation() {
        return machine.simulation();
    }

    /** The server's monotonic clock. */
    final long nanos() {
        return machine.clock().peek();
    }

    /** Executes a command when it arrives. Commands run one after the other, and none runs while the server stalls. */
    <T> void execute(Function<SimulatedServer, T> command, Reply<T> reply) {
        machine.client().execute(() -> reply(command, reply));
    }

    final <T> void reply(Function<SimulatedServer, T> command, Reply<T> reply) {
        T answer;
        try {
            answer = command.apply(this);
        } catch (RuntimeException ex) {
            reply.send(null, ex);
            return;
        }
        reply.send(answer, null);
    }

    /**
     * Executes the copy of a command from an earlier connection. The client has sent a later copy and uses the answer
     * to that one.
     */
    final <T> T executeOldCopy(Function<SimulatedServer, T> command) {
        executesOldCopy = true;
        try {
            return command.apply(this);
        } finally {
            executesOldCopy = false;
        }
    }

    /** How long ago the current command was sent; unlimited if its client may have forgotten it. */
    final long lateness(long sentAt) {
        return executesOldCopy ? Long.MAX_VALUE : simulation().now() - sentAt;
    }

    final void granted(Token token) {
        grants.putIfAbsent(token, simulation().now());
    }

    /** The true time at which a token was granted; -1 if it was not. */
    final long grantedAt(Token token) {
        return grants.getOrDefault(token, -1L);
    }

    /** Sets the callback for leases that are removed before their expiry. */
    final void whenRemoved(Consumer<Token> callback) {
        whenRemoved = callback;
    }

    final void removed(Token token) {
        whenRemoved.accept(token);
    }

    /** Sets the callback for leases that can no longer be renewed. */
    final void whenRevoked(Revoked callback) {
        whenRevoked = callback;
    }

    final void revoked(LockId id, Token token, long lastFence) {
        whenRevoked.accept(id, token, lastFence);
    }

    /** Records that the store has lost its data, which no lock can survive. */
    final void dataLost() {
        dataLostAt = simulation().now();
    }

    final long dataLostAt() {
        return dataLostAt;
    }

    final void note(Object... what) {
        simulation().history().add(simulation().now(), machine, what);
    }

    @Override
    public String toString() {
        return machine.toString();
    }

    /** Receives the leases that can no longer be renewed. */
    interface Revoked {
        void accept(LockId id, Token token, long lastFence);
    }

    /** Sends the answer of a command back to its process. */
    interface Reply<T> {
        void send(@Nullable T answer, @Nullable RuntimeException failure);
    }
}
