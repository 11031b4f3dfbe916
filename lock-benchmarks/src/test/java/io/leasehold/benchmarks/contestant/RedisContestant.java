package io.leasehold.benchmarks.contestant;

import io.leasehold.engine.LockerSettings;
import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.leasehold.spi.LockBackend;
import java.time.Duration;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.redisson.api.RedissonClient;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** Contestants that lock in Redis. */
public enum RedisContestant implements Contestant {
    LEASEHOLD("Leasehold", Role.OURS, RedisContestant::leasehold),
    LEASEHOLD_STARTER("Leasehold, starter", Role.OURS, RedisContestant::starter),
    LEASEHOLD_OBSERVED("Leasehold, starter, observations dropped", Role.OURS, RedisContestant::dropping),
    LEASEHOLD_UNWAITED("Leasehold, releaseAsync()", Role.OURS, RedisContestant::unwaited),
    LEASEHOLD_FORGETFUL("Leasehold, fence-retention 1m", Role.OURS, RedisContestant::forgetful),
    LEASEHOLD_NOTIFYING("Leasehold, grant-on-release off", Role.OURS, RedisContestant::notifying),
    RAW("raw Lettuce", Role.RAW, RawLettuceClient::new),
    RAW_QUEUED(
            "raw Lettuce in a fair line", Role.RAW, (store, ttl) -> new QueuedClient(new RawLettuceClient(store, ttl))),
    REDISSON("Redisson RLock", Role.PEER, (store, ttl) -> new RedissonLocks(store, ttl, RedissonClient::getLock)),
    REDISSON_FENCED("Redisson fenced", Role.PEER, RedissonFencedLocks::new),
    REDISSON_SPIN(
            "Redisson spin", Role.PEER, (store, ttl) -> new RedissonLocks(store, ttl, RedissonClient::getSpinLock)),
    INTEGRATION_PUBSUB(
            "Spring Integration pub/sub",
            Role.PEER,
            (store, ttl) -> IntegrationLocks.plain(store, ttl, RedisLockType.PUB_SUB_LOCK)),
    INTEGRATION_SPIN(
            "Spring Integration spin",
            Role.PEER,
            (store, ttl) -> IntegrationLocks.plain(store, ttl, RedisLockType.SPIN_LOCK)),
    INTEGRATION_RENEWED("Spring Integration pub/sub", Role.PEER, IntegrationLocks::renewed),
    SHEDLOCK("ShedLock", Role.PEER, RedisContestant::shedLock),
    LOCK4J("lock4j", Role.PEER, Lock4jClient::new);

    private final String label;

    private final Role role;

    private final Opener opener;

    RedisContestant(String label, Role role, Opener opener) {
        this.label = label;
        this.role = role;
        this.opener = opener;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public LockClient open(String store, Duration ttl) throws Exception {
        return opener.open(store, ttl);
    }

    private static LockClient starter(String store, Duration ttl) {
        return StarterClient.start(ttl, "lock.backend=redis", "spring.data.redis.url=" + store);
    }

    private static LockClient dropping(String store, Duration ttl) {
        return StarterClient.dropping(ttl, "lock.backend=redis", "spring.data.redis.url=" + store);
    }

    private static LockClient unwaited(String store, Duration ttl) {
        return leasehold(store, ttl).withoutWaitingForReleases();
    }

    private static LeaseholdClient leasehold(String store, Duration ttl) {
        return leasehold(store, ttl, LockerSettings.DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    static LeaseholdClient leasehold(String store, Duration ttl, int maxLocalHandoffs) {
        LockBackend backend = RedisLockBackend.of(Lettuce.factory(store), RedisLockOptions.defaults());
        return new LeaseholdClient(backend, ttl, maxLocalHandoffs);
    }

    private static LockClient notifying(String store, Duration ttl) {
        RedisLockOptions options = RedisLockOptions.defaults().withGrantOnRelease(false);
        LockBackend backend = RedisLockBackend.of(Lettuce.factory(store), options);
        return new LeaseholdClient(backend, ttl, LockerSettings.DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    private static LockClient forgetful(String store, Duration ttl) {
        RedisLockOptions options = RedisLockOptions.defaults().withFenceRetention(Duration.ofMinutes(1));
        LockBackend backend = RedisLockBackend.of(Lettuce.factory(store), options);
        return new LeaseholdClient(backend, ttl, LockerSettings.DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    private static LockClient shedLock(String store, Duration ttl) {
        return new ShedLockClient(new RedisLockProvider(Lettuce.factory(store)), ttl);
    }

    private interface Opener {

        LockClient open(String store, Duration ttl) throws Exception;
    }
}
