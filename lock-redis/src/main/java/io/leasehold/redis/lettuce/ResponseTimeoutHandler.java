package io.leasehold.redis.lettuce;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection on which something was sent and nothing was heard for a while. TCP alone takes a quarter of an hour
 * to notice that a network swallows everything, and never notices a Redis that hangs, since the operating system goes on
 * to confirm for it. Once it is cut, the client connects again, to wherever Sentinel or the cluster says that the master
 * is by then. What was not answered fails.
 */
final class ResponseTimeoutHandler extends ChannelDuplexHandler {

    private final Duration longestSilence;

    private boolean unanswered;

    private boolean heard;

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
        heard = true;
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
        heard = false;
        look = context.executor().schedule(() -> look(context), longestSilence.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void look(ChannelHandlerContext context) {
        look = null;
        if (unanswered && !heard) {
            context.close();
        } else if (unanswered) {
            lookLater(context);
        }
    }
}
