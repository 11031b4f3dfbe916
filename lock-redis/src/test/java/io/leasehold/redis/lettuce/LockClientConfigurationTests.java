package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.resource.ClientResources;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockClientConfigurationTests {

    private final ClientResources application = ClientResources.create();

    @AfterEach
    void shutDown() {
        application.shutdown(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void threadsAreOwnAndTheTimerIsTheApplications() {
        ClientResources ours = LockClientConfiguration.resources(Optional.of(application));
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
    void anOutageQueuesALimitedNumberOfCommands(boolean cluster) {
        assertThat(LockClientConfiguration.options(Optional.empty(), cluster).getRequestQueueSize())
                .isEqualTo(10_000);
        ClientOptions smaller = ClientOptions.builder().requestQueueSize(7).build();
        assertThat(LockClientConfiguration.options(Optional.of(smaller), cluster)
                        .getRequestQueueSize())
                .isEqualTo(7);
    }

    @Test
    void theApplicationsTimerRunsAfterTheShutdownOfTheOwnThreads() throws Exception {
        LockClientConfiguration.resources(Optional.of(application))
                .shutdown(0, 1, TimeUnit.SECONDS)
                .get(10, TimeUnit.SECONDS);
        CountDownLatch due = new CountDownLatch(1);
        application.timer().newTimeout(unused -> due.countDown(), 1, TimeUnit.MILLISECONDS);
        assertThat(due.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
