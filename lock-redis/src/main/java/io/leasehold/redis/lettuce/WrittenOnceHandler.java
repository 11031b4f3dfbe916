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
 * Fails the commands that were written to a connection that ended before the answer. Lettuce would write them again to
 * the next connection. A network or a stalled server may then deliver the first copy after the second one and after a
 * release, and a late acquisition would take the lock again. Lettuce still sends commands that were not written yet.
 *
 * <p>The handler is placed between the encoder and the handler that keeps the unanswered commands. It is therefore
 * notified of the end of the connection first, and receives commands before they are encoded.
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
