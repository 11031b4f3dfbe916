package io.leasehold.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/**
 * The client configuration of another factory with what locks need: everything goes to the master, connections come back
 * quickly after an outage, dead ones are noticed, and no timer per command, since the engine bounds its waits.
 */
final class LockClientConfiguration implements LettuceClientConfiguration {

    static final String NAME = "leasehold";

    private final LettuceClientConfiguration original;

    private final ClientResources resources;

    private final ClientOptions options;

    LockClientConfiguration(LettuceConnectionFactory factory, ClientResources resources) {
        this.original = factory.getClientConfiguration();
        this.resources = resources;
        this.options = LockClientSettings.options(original.getClientOptions(), factory.isClusterAware());
    }

    @Override
    public Optional<ClientResources> getClientResources() {
        return Optional.of(resources);
    }

    @Override
    public Optional<ClientOptions> getClientOptions() {
        return Optional.of(options);
    }

    @Override
    public Optional<ReadFrom> getReadFrom() {
        return Optional.empty();
    }

    @Override
    public Optional<String> getClientName() {
        return Optional.of(NAME);
    }

    @Override
    public Duration getCommandTimeout() {
        return LockClientSettings.CONNECT_TIMEOUT;
    }

    @Override
    public boolean isUseSsl() {
        return original.isUseSsl();
    }

    @Override
    @SuppressWarnings("deprecation")
    public boolean isVerifyPeer() {
        return original.isVerifyPeer();
    }

    @Override
    public SslVerifyMode getVerifyMode() {
        return original.getVerifyMode();
    }

    @Override
    public boolean isStartTls() {
        return original.isStartTls();
    }

    @Override
    public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
        return original.getRedisCredentialsProviderFactory();
    }

    @Override
    public Duration getShutdownTimeout() {
        return original.getShutdownTimeout();
    }

    @Override
    public Duration getShutdownQuietPeriod() {
        return original.getShutdownQuietPeriod();
    }
}
