package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.leasehold.contract.StoreClient;
import io.leasehold.redis.client.RedisClientAdapter;
import io.leasehold.redis.client.RedisScript;
import io.leasehold.redis.client.ScriptExecutor;
import io.leasehold.redis.client.WakeupSubscription;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.support.RevocationListeners;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The client throws an error of the JVM when an acquisition is sent, as at the end of the caller's stack. */
class UnsentAcquisitionTests implements RedisClientAdapter, ScriptExecutor {

    private final WakeupSubscription subscription = new WakeupSubscription("channel", new RevocationListeners());

    @Test
    void noWakeupIsKept() {
        LockBackend backend = RedisLockBackend.of(this, RedisLockOptions.defaults(), () -> {});
        StoreClient store = new StoreClient(backend, "unsent");
        assertThat(backend.acquire(new AcquireCommand(store.id("a"), store.token(), StoreClient.LONG, 1, true)))
                .isCompletedExceptionally();
        assertThat(subscription).extracting("waiting", MAP).isEmpty();
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        throw new StackOverflowError();
    }

    @Override
    public CompletableFuture<Void> connect() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public ScriptExecutor scripts() {
        return this;
    }

    @Override
    public ScriptExecutor grants() {
        return this;
    }

    @Override
    public ScriptExecutor renewals() {
        return this;
    }

    @Override
    public ScriptExecutor releases() {
        return this;
    }

    @Override
    public WakeupSubscription subscription() {
        return subscription;
    }

    @Override
    public RedisConnectionFactory connectionFactory() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public int minReplicas(boolean clusterHasReplicas) {
        return 0;
    }

    @Override
    public void close() {}
}
