package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.InsufficientReplicasFailure;
import io.leasehold.redis.client.RequiredReplicas;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one master, on which {@code WAIT} follows the scripts that have written.
 *
 * <ol>
 *   <li>{@code WAIT} covers the writes of its own connection, and blocks the connection until it is answered. At most
 *       one {@code WAIT} is therefore in progress. The next one is sent when it has completed, and covers all scripts
 *       that were answered in the meantime.
 *   <li>The client reconnects automatically and may resend unanswered commands, possibly to another master, which would
 *       confirm writes that it does not have. A confirmation therefore counts only if the connection did not break
 *       between the script and the confirmation.
 * </ol>
 */
final class ReplicatedConnection implements ReplicatedScriptExecutor.Connection {

    private final StatefulRedisConnection<byte[], byte[]> connection;

    private final RequiredReplicas required;

    private final AtomicInteger breaks = new AtomicInteger();

    private final LettuceScriptExecutor.ReadOnlyReconnect readOnlyReconnect =
            new LettuceScriptExecutor.ReadOnlyReconnect();

    private boolean underWay;

    private @Nullable CompletableFuture<Long> next;

    ReplicatedConnection(StatefulRedisConnection<byte[], byte[]> connection, RequiredReplicas required) {
        this.connection = connection;
        this.required = required;
        connection.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                breaks.incrementAndGet();
            }
        });
    }

    @Override
    public <T> void run(ReplicatedCall<T> call) {
        send(call, false).whenComplete((sent, failure) -> {
            if (failure != null) {
                readOnlyReconnect.leaveIfReplica(connection.async(), failure);
                call.completeExceptionally(failure);
            }
        });
    }

    /**
     * Sends the script. The result completes exceptionally if the script failed; otherwise the call completes itself.
     */
    <T> CompletableFuture<?> send(ReplicatedCall<T> call, boolean asking) {
        // read before the script is sent, so that a break between the script and its confirmation is detected
        int breaksBefore = breaks.get();
        return call.send(connection.async(), asking)
                .thenAccept(answer -> call.answered(answer, () -> confirmation(breaksBefore)));
    }

    boolean isOn(StatefulRedisConnection<byte[], byte[]> other) {
        return connection == other;
    }

    private CompletableFuture<Void> confirmation(int breaksBefore) {
        if (required.least() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        return enqueue().handle((confirmed, failure) -> {
            if (failure != null) {
                throw new InsufficientReplicasFailure(failure);
            }
            boolean sameConnection = breaks.get() == breaksBefore && connection.isOpen();
            if (!sameConnection || confirmed < required.least()) {
                throw new InsufficientReplicasFailure(sameConnection ? confirmed : 0, required);
            }
            return null;
        });
    }

    private synchronized CompletableFuture<Long> enqueue() {
        CompletableFuture<Long> mine = next;
        if (mine == null) {
            mine = new CompletableFuture<>();
            next = mine;
            if (!underWay) {
                sendWait();
            }
        }
        return mine;
    }

    private void sendWait() {
        CompletableFuture<Long> asked = next;
        if (asked == null) {
            return;
        }
        next = null;
        underWay = true;
        RedisFuture<Long> reply = connection
                .async()
                .waitForReplication(required.least(), required.timeout().toMillis());
        reply.whenComplete((confirmed, failure) -> {
            synchronized (this) {
                underWay = false;
                sendWait();
            }
            if (failure == null) {
                asked.complete(confirmed);
            } else {
                asked.completeExceptionally(failure);
            }
        });
    }
}
