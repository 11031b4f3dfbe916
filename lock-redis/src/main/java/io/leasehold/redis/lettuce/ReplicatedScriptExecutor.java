package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs scripts on a separate connection, and completes when replicas have confirmed their writes. */
final class ReplicatedScriptExecutor implements ScriptExecutor {

    private final LazyConnection<Connections> connections;

    private final Function<Connections, Connection> chosen;

    ReplicatedScriptExecutor(LazyConnection<Connections> connections, Function<Connections, Connection> chosen) {
        this.connections = connections;
        this.chosen = chosen;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        ReplicatedCall<T> call = new ReplicatedCall<>(script, keys, arguments);
        Connections open = connections.now();
        if (open != null) {
            chosen.apply(open).run(call);
        } else {
            connections.whenOpen().whenComplete((opened, failure) -> {
                if (failure == null) {
                    chosen.apply(opened).run(call);
                } else {
                    call.completeExceptionally(failure);
                }
            });
        }
        return call;
    }

    @Override
    public void close() {
        connections.close();
    }

    /** A connection only for scripts that replicas must confirm, so that waiting for replicas delays no other call. */
    interface Connection {

        /** Sends the script. The call completes when the script is answered and confirmed, or has failed. */
        <T> void run(ReplicatedCall<T> call);
    }

    /** Two connections, so that grants that wait for replicas do not delay renewals. */
    record Connections(Connection grants, Connection renewals) {}
}
