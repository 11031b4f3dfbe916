package io.leasehold.redis.lettuce;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The client configuration of another factory with the settings that locks need. All commands go to the master,
 * connections recover quickly after an outage, and dead connections are detected. There is no timer per command,
 * because the engine limits its waits.
 */
final class LockClientConfiguration {

    static final String NAME = "leasehold";

    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final Delay RECONNECT =
            Delay.equalJitter(Duration.ofMillis(10), Duration.ofMillis(200), 2, TimeUnit.MILLISECONDS);

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

    private static final Duration LONGEST_REFRESH_PERIOD = Duration.ofSeconds(5);

    /**
     * The most commands of one connection that wait for their reply, or for a connection. Lettuce has no limit by
     * default. It keeps cancelled commands until it is connected again, so an outage of minutes would fill the memory.
     */
    private static final int MOST_QUEUED = 10_000;

    private LockClientConfiguration() {}

    /** Creates a configuration with the given resources, which the caller shuts down. */
    static LettuceClientConfiguration like(LettuceConnectionFactory factory, ClientResources resources) {
        LettuceClientConfiguration original = factory.getClientConfiguration();
        LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
                .clientResources(resources)
                .clientOptions(options(original.getClientOptions(), factory.isClusterAware()))
                .clientName(NAME)
                .commandTimeout(CONNECT_TIMEOUT)
                .shutdownTimeout(original.getShutdownTimeout())
                .shutdownQuietPeriod(original.getShutdownQuietPeriod());
        original.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
        if (original.isUseSsl()) {
            LettuceSslClientConfigurationBuilder ssl = builder.useSsl().verifyPeer(original.getVerifyMode());
            if (original.isStartTls()) {
                ssl.startTls();
            }
        }
        return builder.build();
    }

    /**
     * Creates separate client resources. With its default resources, Lettuce would wait up to 30 s before it
     * reconnects, longer than most leases. On the application's threads, renewals would wait for the application's
     * callbacks. The timer is shared: it wakes ten times a second, and hands all due tasks to the threads of these
     * resources. The caller must shut the resources down, which does not affect the shared parts.
     */
    static ClientResources resources(Optional<ClientResources> original, RefusedHandshake refused) {
        ClientResources.Builder builder = ClientResources.builder();
        original.ifPresent(shared -> builder.socketAddressResolver(shared.socketAddressResolver())
                .addressResolverGroup(shared.addressResolverGroup())
                .timer(shared.timer()));
        NettyCustomizer before = original.map(ClientResources::nettyCustomizer).orElse(new NettyCustomizer() {});
        return builder.reconnectDelay(RECONNECT)
                .nettyCustomizer(new ChannelCustomizer(before, refused, LONGEST_SILENCE))
                .build();
    }

    static ClientOptions options(Optional<ClientOptions> original, boolean cluster) {
        ClientOptions base = original.orElseGet(ClientOptions::create);
        ClientOptions.Builder options = cluster ? clusterOptions(base) : base.mutate();
        return options.autoReconnect(true)
                .suspendReconnectOnProtocolFailure(false)
                .requestQueueSize(Math.min(base.getRequestQueueSize(), MOST_QUEUED))
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(socketOptions(base))
                .build();
    }

    private static ClientOptions.Builder clusterOptions(ClientOptions base) {
        ClusterClientOptions clusterBase = base instanceof ClusterClientOptions given
                ? given
                : ClusterClientOptions.builder(base).build();
        return clusterBase.mutate().topologyRefreshOptions(topologyRefresh(clusterBase.getTopologyRefreshOptions()));
    }

    /**
     * Refreshes the topology at the first sign of a failure, and periodically. A node that hangs sends no redirection,
     * and its connections may stay open.
     */
    private static ClusterTopologyRefreshOptions topologyRefresh(ClusterTopologyRefreshOptions given) {
        Duration period = given.getRefreshPeriod();
        boolean often = given.isPeriodicRefreshEnabled() && period.compareTo(LONGEST_REFRESH_PERIOD) < 0;
        return ClusterTopologyRefreshOptions.builder()
                .dynamicRefreshSources(given.useDynamicRefreshSources())
                .closeStaleConnections(given.isCloseStaleConnections())
                .enablePeriodicRefresh(often ? period : LONGEST_REFRESH_PERIOD)
                .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                .refreshTriggersReconnectAttempts(1)
                .build();
    }

    private static SocketOptions socketOptions(ClientOptions base) {
        return base.getSocketOptions()
                .mutate()
                .connectTimeout(CONNECT_TIMEOUT)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(5))
                        .interval(Duration.ofSeconds(1))
                        .count(3)
                        .build())
                .build();
    }

    /**
     * Combines commands of several callers in one flush, closes connections whose peer does not respond, and fails the
     * commands that were written to a connection that ended.
     */
    private record ChannelCustomizer(NettyCustomizer before, RefusedHandshake refused, Duration longestSilence)
            implements NettyCustomizer {

        private static final int FLUSHES_TOGETHER = 2;

        @Override
        public void afterBootstrapInitialized(Bootstrap bootstrap) {
            before.afterBootstrapInitialized(bootstrap);
        }

        @Override
        public void afterChannelInitialized(Channel channel) {
            before.afterChannelInitialized(channel);
            channel.pipeline()
                    .addFirst(
                            new ResponseTimeoutHandler(longestSilence),
                            new FlushConsolidationHandler(FLUSHES_TOGETHER, true));
            WrittenOnceHandler.addTo(channel);
            refused.observe(channel);
        }
    }
}
