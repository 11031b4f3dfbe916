package io.leasehold.redis.lettuce;

import io.leasehold.redis.client.RedisErrors;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import io.leasehold.support.Ticker;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Why a server has refused the last handshake of a client, for example because the password has changed. Lettuce tries
 * again, and keeps the commands until it is connected. Each of them would end at its command timeout, as one that was
 * not answered.
 */
final class RefusedHandshake {

    /** Much longer than the pauses between the handshakes of a client that is refused. */
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier nanoTime;

    private volatile @Nullable Refusal last;

    RefusedHandshake() {
        this(Ticker.system()::nanos);
    }

    RefusedHandshake(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Observes a channel that is not connected yet. */
    void observe(Channel channel) {
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelActive(ChannelHandlerContext context) {
                // read now, because a closed channel may not know its server
                SocketAddress server = context.channel().remoteAddress();
                RedisHandshakeHandler handshake = context.pipeline().get(RedisHandshakeHandler.class);
                if (handshake != null) {
                    handshake.channelInitialized().whenComplete((done, failure) -> ended(server, failure));
                }
                context.fireChannelActive();
            }
        });
    }

    /**
     * Returns the last refusal, the reason why a connection of the client is not open; {@code null} if there is none. A
     * refusal that was not repeated within five seconds is no reason any more: the client was let in elsewhere, or
     * reaches no server. Its effect is "not done" in any case: the login may succeed as soon as the credentials are
     * right again.
     */
    @Nullable
    BackendFailure failure() {
        Refusal refusal = last;
        return refusal == null || nanoTime.getAsLong() - refusal.at() > LONGEST_PAUSE ? null : refusal.failure();
    }

    private void ended(SocketAddress server, @Nullable Throwable failure) {
        if (failure != null && RedisErrors.isRefusedHandshake(failure)) {
            BackendFailure refusal =
                    RedisErrors.notConnected(new RedisConnectionException("Unable to connect to " + server, failure));
            last = new Refusal(
                    server,
                    nanoTime.getAsLong(),
                    new BackendFailure(Effect.NOT_DONE, String.valueOf(refusal.getMessage()), failure));
            return;
        }
        Refusal before = last;
        // a sentinel may let the client in although the master does not
        if (before != null && before.server().equals(server)) {
            last = null;
        }
    }

    private record Refusal(SocketAddress server, long at, BackendFailure failure) {}
}
