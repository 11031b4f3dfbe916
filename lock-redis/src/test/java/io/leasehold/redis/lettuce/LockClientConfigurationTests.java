package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

class LockClientConfigurationTests {

    private final ClientResources application = ClientResources.create();

    @AfterEach
    void shutDown() {
        application.shutdown(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void threadsAreOwnAndTheTimerIsTheApplications() {
        ClientResources ours = LockClientConfiguration.resources(Optional.of(application), new RefusedHandshake());
        try {
            assertThat(ours.eventLoopGroupProvider()).isNotSameAs(application.eventLoopGroupProvider());
            assertThat(ours.eventExecutorGroup()).isNotSameAs(application.eventExecutorGroup());
            assertThat(ours.timer()).isSameAs(application.timer());
        } finally {
            ours.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theServerIsReachedAsTheApplicationReachesIt(boolean startTls) {
        RedisCredentialsProviderFactory credentials = new RedisCredentialsProviderFactory() {};
        LettuceSslClientConfigurationBuilder ssl = LettuceClientConfiguration.builder()
                .redisCredentialsProviderFactory(credentials)
                .readFrom(ReadFrom.REPLICA)
                .clientName("orders")
                .shutdownTimeout(Duration.ofMillis(300))
                .shutdownQuietPeriod(Duration.ofMillis(200))
                .useSsl()
                .verifyPeer(SslVerifyMode.CA);
        LettuceClientConfiguration ours = like(startTls ? ssl.startTls() : ssl);
        assertThat(ours.isUseSsl()).isTrue();
        assertThat(ours.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
        assertThat(ours.isStartTls()).isEqualTo(startTls);
        assertThat(ours.getRedisCredentialsProviderFactory()).containsSame(credentials);
        assertThat(ours.getShutdownTimeout()).isEqualTo(Duration.ofMillis(300));
        assertThat(ours.getShutdownQuietPeriod()).isEqualTo(Duration.ofMillis(200));
        assertThat(ours.getReadFrom()).isEmpty();
        assertThat(ours.getClientName()).contains("leasehold");
        assertThat(ours.getClientResources()).containsSame(application);
    }

    private LettuceClientConfiguration like(LettuceSslClientConfigurationBuilder original) {
        return LockClientConfiguration.like(
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(), original.build()), application);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOutageQueuesALimitedNumberOfCommands(boolean cluster) {
        assertThat(LockClientConfiguration.options(Optional.empty(), cluster).getRequestQueueSize())
                .isEqualTo(10_000);
        ClientOptions smaller = ClientOptions.builder().requestQueueSize(7).build();
        assertThat(LockClientConfiguration.options(Optional.of(smaller), cluster)
                        .getRequestQueueSize())
                .isEqualTo(7);
    }

    /** Otherwise no lock of the process would be acquired any more, until a restart. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFailedHandshakeEndsNoReconnect(boolean cluster) {
        ClientOptions application = ClientOptions.builder()
                .autoReconnect(false)
                .suspendReconnectOnProtocolFailure(true)
                .build();
        ClientOptions ours = LockClientConfiguration.options(Optional.of(application), cluster);
        assertThat(ours.isAutoReconnect()).isTrue();
        assertThat(ours.isSuspendReconnectOnProtocolFailure()).isFalse();
    }

    @Test
    void theApplicationsTimerRunsAfterTheShutdownOfTheOwnThreads() throws Exception {
        LockClientConfiguration.resources(Optional.of(application), new RefusedHandshake())
                .shutdown(0, 1, TimeUnit.SECONDS)
                .get(10, TimeUnit.SECONDS);
        CountDownLatch due = new CountDownLatch(1);
        application.timer().newTimeout(unused -> due.countDown(), 1, TimeUnit.MILLISECONDS);
        assertThat(due.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
