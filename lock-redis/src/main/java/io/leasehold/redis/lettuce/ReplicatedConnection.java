package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.InsufficientReplicasFailure;
import io.leasehold.redis.client.RedisErrors;
import io.leasehold.redis.client.RedisKeys;
import io.leasehold.redis.client.RedisScript.Confirmation;
import io.leasehold.redis.client.RequiredReplicas;
import io.leasehold.spi.BackendFailure;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one master, on which {@code WAIT} follows the scripts that have written, or that deny a lease.
 *
 * <ol>
 *   <li>{@code WAIT} covers the writes of its own connection, and blocks the connection until it is answered. At most
 *       one {@code WAIT} is therefore in progress. The next one is sent when it has completed, and covers all scripts
 *       that were answered in the meantime.
 *   <li>The client reconnects automatically and may resend unanswered commands, possibly to another master, which would
 *       confirm writes that it does not have. A confirmation therefore counts only if the connection did not break
 *       between the script and the confirmation.
 *   <li>A denial has written nothing. A message without receivers, which Redis sends to the replicas like a write,
 *       therefore precedes its {@code WAIT}. If too few replicas confirm it, it counts only if the client has looked up
 *       the master within the last two seconds. Otherwise replicas that are down would leave every denial unknown.
 *   <li>A master whose replicas do not confirm, or that refuses a script for lack of replicas, may have been deposed.
 *       The connections of the client are therefore renewed, at most every two seconds. They then lead to the master
 *       that Sentinel or the name service names.
 * </ol>
 *
 * <p>The last two do not apply to a node of a cluster. It stops answering when it is deposed, and others redirect.
 */
final class ReplicatedConnection implements ReplicatedScriptExecutor.Connection {

    private final StatefulRedisConnection<byte[], byte[]> connection;

    private final RequiredReplicas required;

    private final AtomicInteger breaks = new AtomicInteger();

    private final @Nullable MasterLookup masters;

    private final RefusedHandshake refused;

    private boolean underWay;

    private @Nullable CompletableFuture<Long> next;

    private boolean nextNeedsProof;

    /**
     * Creates a connection.
     *
     * @param masters renews connections to deposed masters, {@code null} in a cluster
     * @param refused why the connection is not open
     */
    ReplicatedConnection(
            StatefulRedisConnection<byte[], byte[]> connection,
            RequiredReplicas required,
            @Nullable MasterLookup masters,
            RefusedHandshake refused) {
        this.connection = connection;
        this.required = required;
        this.masters = masters;
        this.refused = refused;
        connection.addListener(new RedisConnectionStateAdapter() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                breaks.incrementAndGet();
            }
        });
    }

    @Override
    public <T> void run(ReplicatedCall<T> call) {
        BackendFailure refusal = connection.isOpen() ? null : refused.failure();
        if (refusal != null) {
            call.completeExceptionally(refusal);
            return;
        }
        send(call, false).whenComplete((sent, failure) -> {
            if (failure != null) {
                renewIfNoMaster(failure);
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
                .thenAccept(answer -> call.answered(answer, needed -> confirmation(needed, breaksBefore)));
    }

    private CompletableFuture<Void> confirmation(Confirmation needed, int breaksBefore) {
        boolean isDenial = needed == Confirmation.DENIAL;
        if (required.least() == 0 || isDenial && masters == null) {
            return CompletableFuture.completedFuture(null);
        }
        return enqueue(isDenial).handle((confirmed, failure) -> {
            if (failure != null) {
                renewIfNoMaster(failure);
                throw new InsufficientReplicasFailure(failure);
            }
            boolean sameConnection = breaks.get() == breaksBefore && connection.isOpen();
            boolean confirms = sameConnection && confirmed >= required.least();
            boolean wasNamed = sameConnection && masters != null && masters.isRecent(connection);
            if (confirms || isDenial && wasNamed) {
                return null;
            }
            if (sameConnection && masters != null) {
                masters.renew(null);
            }
            throw new InsufficientReplicasFailure(sameConnection ? confirmed : 0, required);
        });
    }

    private void renewIfNoMaster(Throwable failure) {
        if (masters == null) {
            return;
        }
        if (RedisErrors.isReplica(failure)) {
            masters.renew(connection);
        } else if (RedisErrors.lacksReplicas(failure)) {
            masters.renew(null);
        }
    }

    private CompletableFuture<Long> enqueue(boolean needsProof) {
        CompletableFuture<Long> mine;
        synchronized (this) {
            nextNeedsProof |= needsProof;
            mine = next;
            if (mine == null) {
                mine = new CompletableFuture<>();
                next = mine;
            }
        }
        sendWait();
        return mine;
    }

    /** Sends the next {@code WAIT} unless one is in progress. */
    private void sendWait() {
        CompletableFuture<Long> asked;
        boolean needsProof;
        synchronized (this) {
            asked = next;
            if (underWay || asked == null) {
                return;
            }
            needsProof = nextNeedsProof;
            next = null;
            nextNeedsProof = false;
            underWay = true;
        }
        // sent without the lock, because a command that the client refuses completes its callers immediately
        ask(needsProof).whenComplete((confirmed, failure) -> {
            synchronized (this) {
                underWay = false;
            }
            sendWait();
            if (failure == null) {
                asked.complete(confirmed);
            } else {
                asked.completeExceptionally(failure);
            }
        });
    }

    private CompletionStage<Long> ask(boolean needsProof) {
        try {
            CompletionStage<?> proof = needsProof
                    ? connection.async().publish(RedisKeys.proof(), new byte[0])
                    : CompletableFuture.completedFuture(null);
            RedisFuture<Long> reply = connection
                    .async()
                    .waitForReplication(required.least(), required.timeout().toMillis());
            return proof.thenCombine(reply, (sent, confirmed) -> confirmed);
        } catch (Throwable notSent) {
            // an Error as well: every later confirmation would wait for the end of this one
            return CompletableFuture.failedFuture(notSent);
        }
    }
}
