package io.leasehold.redis.lettuce;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection on which a command was sent and nothing was received for a while. TCP alone takes a quarter of an
 * hour to detect a network that drops all packets, and never detects a Redis that hangs, because the operating system
 * continues to acknowledge. The client then reconnects, to the master that Sentinel or the cluster names by then.
 * Commands without an answer fail.
 */
final class ResponseTimeoutHandler extends ChannelDuplexHandler {

    private final Duration longestSilence;

    private boolean unanswered;

    private boolean received;

    private @Nullable ScheduledFuture<?> look;

    ResponseTimeoutHandler(Duration longestSilence) {
        this.longestSilence = longestSilence;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        unanswered = true;
        if (look == null) {
            lookLater(context);
        }
        super.write(context, message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        unanswered = false;
        received = true;
        super.channelRead(context, message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (look != null) {
            look.cancel(false);
        }
        super.channelInactive(context);
    }

    private void lookLater(ChannelHandlerContext context) {
        received = false;
        look = context.executor().schedule(() -> look(context), longestSilence.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext context) {
        look = null;
        if (unanswered && !received) {
            context.close();
        } else if (unanswered) {
            lookLater(context);
        }
    }
}
