package io.leasehold.redis;

import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;

/**
 * Lets commands of several callers leave in one write, gives up connections on which nothing is heard any more, and fails
 * what was written to a connection that ended.
 */
record LockChannels(NettyCustomizer before, Duration longestSilence) implements NettyCustomizer {

    private static final int FLUSHES_TOGETHER = 2;

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        before.afterBootstrapInitialized(bootstrap);
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        before.afterChannelInitialized(channel);
        channel.pipeline()
                .addFirst(new SilenceHandler(longestSilence), new FlushConsolidationHandler(FLUSHES_TOGETHER, true));
        WrittenOnceHandler.addTo(channel);
    }
}
