package io.leasehold.benchmarks.migration;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.baomidou.lock.annotation.Lock4j;
import com.baomidou.lock.exception.LockFailureException;
import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.engine.LockEngine;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.servers.redis.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Lock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.LockRegistry;

/** Lockers with the keys of other libraries and these libraries exclude each other, as docs/migrating.md says. */
@Timeout(120)
@Tag("slow")
class SharedKeysTests {

    private final RedisServer redis = RedisServer.shared();

    private final Instance instance = Instance.start(FormerKeys.class, FormerPayments.class, Payments.class);

    private final RedisConnectionFactory connections = instance.bean(RedisConnectionFactory.class);

    @BeforeEach
    void flush() {
        redis.command("FLUSHALL");
    }

    @AfterEach
    void close() {
        instance.close();
    }

    @ParameterizedTest
    @EnumSource(RedisLockType.class)
    void springIntegration(RedisLockType type) {
        RedisLockRegistry registry = new RedisLockRegistry(connections, "locks");
        registry.setRedisLockType(type);
        Lock former = registry.obtain("7");
        Lock present = instance.bean(LockRegistry.class).obtain("7");
        former.lock();
        assertThat(present.tryLock()).isFalse();
        former.unlock();
        assertThat(present.tryLock()).isTrue();
        assertThat(former.tryLock()).isFalse();
        present.unlock();
        assertThat(former.tryLock()).isTrue();
        former.unlock();
        registry.destroy();
    }

    @Test
    void waitersOfSpringIntegration() throws Exception {
        RedisLockRegistry registry = new RedisLockRegistry(connections, "locks");
        Lock former = registry.obtain("7");
        Lock present = instance.bean(LockRegistry.class).obtain("7");
        former.lock();
        FutureTask<Void> ofPresent = lockAndUnlock(present);
        new Thread(ofPresent).start();
        LockEngine engine = instance.bean(LockEngine.class);
        await().until(() -> engine.status("integration").orElseThrow().waiting() == 1);
        former.unlock();
        ofPresent.get(30, SECONDS);
        present.lock();
        FutureTask<Void> ofFormer = lockAndUnlock(former);
        Thread caller = new Thread(ofFormer);
        caller.start();
        await().until(() -> isBetweenAttempts(caller));
        present.unlock();
        ofFormer.get(30, SECONDS);
        registry.destroy();
    }

    private static FutureTask<Void> lockAndUnlock(Lock lock) {
        return new FutureTask<>(
                () -> {
                    lock.lock();
                    lock.unlock();
                },
                null);
    }

    /** Spring Integration's lock sleeps after an attempt that found it taken. */
    private static boolean isBetweenAttempts(Thread caller) {
        return Arrays.stream(caller.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("sleep"));
    }

    @Test
    void shedLock() {
        LockProvider former = new RedisLockProvider(connections, "prod");
        LockProvider present = instance.bean(LockProvider.class);
        SimpleLock formerLock = former.lock(job(Duration.ZERO)).orElseThrow();
        assertThat(present.lock(job(Duration.ZERO))).isEmpty();
        formerLock.unlock();
        SimpleLock presentLock = present.lock(job(Duration.ZERO)).orElseThrow();
        assertThat(former.lock(job(Duration.ZERO))).isEmpty();
        presentLock.unlock();
        former.lock(job(Duration.ofMinutes(1))).orElseThrow().unlock();
        assertThat(present.lock(job(Duration.ZERO))).isEmpty();
        redis.command("FLUSHALL");
        present.lock(job(Duration.ofMinutes(1))).orElseThrow().unlock();
        assertThat(former.lock(job(Duration.ZERO))).isEmpty();
    }

    private static LockConfiguration job(Duration atLeast) {
        return new LockConfiguration(Instant.now(), "report", Duration.ofMinutes(10), atLeast);
    }

    @Test
    void lock4j() {
        FormerPayments former = instance.bean(FormerPayments.class);
        Payments present = instance.bean(Payments.class);
        former.pay(
                7,
                () -> assertThatExceptionOfType(LockNotAcquiredException.class)
                        .isThrownBy(() -> present.pay(7, () -> {})));
        present.pay(
                7,
                () -> assertThatExceptionOfType(LockFailureException.class).isThrownBy(() -> former.pay(7, () -> {})));
    }

    @Test
    void lock4jWithTheClassAndTheMethodInTheKey() {
        FormerPayments former = instance.bean(FormerPayments.class);
        Payments present = instance.bean(Payments.class);
        former.refund(
                7,
                () -> assertThat(redis.command("EXISTS", keyOfRefund(FormerPayments.class)))
                        .isEqualTo(1L));
        present.refund(
                7,
                () -> assertThat(redis.command("EXISTS", keyOfRefund(Payments.class)))
                        .isEqualTo(1L));
    }

    private static String keyOfRefund(Class<?> type) {
        return "lock4j:" + type.getName() + "refund#7";
    }

    @Test
    void aJobOfShedLockThatOutlivedItsLockDeletesTheNextOneWhichIsNoticed() {
        LockProvider former = new RedisLockProvider(connections, "prod");
        Locker present = instance.bean(LockerRegistry.class).get("jobs");
        SimpleLock outlived = former.lock(job(Duration.ZERO)).orElseThrow();
        redis.command("DEL", "job-lock:prod:report");
        LockHandle next = present.lock("report");
        outlived.unlock();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(next::renew);
    }

    @Test
    void aLockOfRedissonUnderTheSameKeyIsAnErrorAndNoSecondHolder() {
        Locker locker = instance.bean(LockerRegistry.class).get("jobs");
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://" + redis.host() + ":" + redis.port())
                .setConnectionMinimumIdleSize(1);
        RedissonClient redisson = Redisson.create(config);
        try {
            RLock former = redisson.getLock("job-lock:prod:report");
            former.lock();
            assertThatExceptionOfType(LockBackendException.class)
                    .isThrownBy(() -> locker.tryLock("report"))
                    .withMessageContaining("holds something that is no lock");
            former.unlock();
            locker.lock("report");
            assertThatExceptionOfType(RedisException.class)
                    .isThrownBy(former::tryLock)
                    .withMessageContaining("WRONGTYPE");
        } finally {
            redisson.shutdown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class FormerKeys {

        @Bean
        LockKeyCustomizer environmentOfJobs() {
            return (locker, key) -> locker.equals("jobs") ? "prod:" + key : key;
        }
    }

    static class FormerPayments {

        @Lock4j(name = "pay", keys = "#id", acquireTimeout = 50)
        public void pay(long id, Runnable work) {
            work.run();
        }

        @Lock4j(keys = "#id")
        public void refund(long id, Runnable work) {
            work.run();
        }
    }

    static class Payments {

        @DistributedLock(locker = "payments", key = "'pay#' + #id", waitTime = "0")
        public void pay(long id, Runnable work) {
            work.run();
        }

        @DistributedLock(locker = "payments", key = "#root.targetClass + #root.methodName + '#' + #id")
        public void refund(long id, Runnable work) {
            work.run();
        }
    }
}
