package io.leasehold.redis.lettuce;

import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandEncoder;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Fails the commands that were written to a connection which ended without answering them. Lettuce would write them to
 * the next connection too; and a network, or a server that stalls, may deliver the first copy after the second one and
 * after a release, where a late acquisition takes the lock again. Commands that were not written yet are left to Lettuce.
 *
 * <p>It stands between the handler that keeps the unanswered commands and the encoder, so that it learns of the end of the
 * connection first and sees commands before they are bytes.
 */
final class WrittenOnceHandler extends ChannelDuplexHandler {

    private WrittenOnceHandler() {}

    static void addTo(Channel channel) {
        ChannelPipeline pipeline = channel.pipeline();
        String encoder = pipeline.context(CommandEncoder.class).name();
        pipeline.addAfter(encoder, null, new WrittenOnceHandler());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (!context.channel().isActive()) {
            super.write(context, message, promise);
            return;
        }
        ChannelPromise written = promise.unvoid();
        super.write(context, message, written);
        written.addListener(end -> {
            if (!end.isSuccess()) {
                fail(message, end.cause());
            }
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        CommandHandler commands = context.pipeline().get(CommandHandler.class);
        if (commands != null) {
            fail(commands.drainQueue(), null);
        }
        super.channelInactive(context);
    }

    private static void fail(Object message, @Nullable Throwable cause) {
        if (message instanceof RedisCommand<?, ?, ?> command) {
            command.completeExceptionally(new RedisException("the connection ended before the answer", cause));
        } else if (message instanceof Collection<?> several) {
            several.forEach(command -> fail(command, cause));
        }
    }
}
