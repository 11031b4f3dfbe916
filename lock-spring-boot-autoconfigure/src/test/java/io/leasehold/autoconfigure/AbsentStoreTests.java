package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.jdbc.LockSchemaInitializer;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.etcd.EtcdCluster;
import io.leasehold.spi.BackendFailure;
import io.leasehold.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Stores that are not there when the application starts, apart from Redis, which has the same tests where its others
 * are. The application starts, says which store is missing, and only what locks in it fails.
 */
@ExtendWith(OutputCaptureExtension.class)
class AbsentStoreTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.wait-time=0s", "lock.lockers.other.backend=memory");

    @Test
    void anAbsentEtcdIsToldAndUsedOnceItIsThere(CapturedOutput output) {
        try (EtcdCluster etcd = EtcdCluster.start(1)) {
            etcd.member().kill();
            runner.withPropertyValues("lock.lockers.deploy.backend=etcd", "lock.etcd.endpoints=" + etcd.endpoints()[0])
                    .run(context -> {
                        Locker deploy = failingLocker(context);
                        assertThatOtherLockersWork(context.getBean("otherLocker", Locker.class));
                        awaitTold(output, "etcd");

                        etcd.member().restart();
                        await().atMost(Duration.ofSeconds(30))
                                .ignoreExceptionsInstanceOf(LockBackendException.class)
                                .until(() -> deploy.tryLock("key").isPresent());
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "row-lock"})
    void anAbsentDatabaseIsTold(String backend, CapturedOutput output) {
        runnerWithDatabase("jdbc:h2:tcp://127.0.0.1:1/absent", backend).run(context -> {
            failingLocker(context);
            assertThatOtherLockersWork(context.getBean("otherLocker", Locker.class));
            awaitTold(output, backend);
        });
        assertThat(output)
                .containsPattern("Lock tables could not be created yet: .*127\\.0\\.0\\.1:1.*\\. This is retried");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "row-lock"})
    void tablesAreCreatedOnceTheDatabaseIsThere(String backend) {
        int port = FreePort.find();
        runnerWithDatabase("jdbc:h2:tcp://127.0.0.1:" + port + "/mem:late-" + backend, backend)
                .withPropertyValues("spring.datasource.hikari.connection-timeout=500")
                .run(context -> {
                    Locker deploy = failingLocker(context);

                    Server database = Server.createTcpServer("-tcpPort", String.valueOf(port), "-ifNotExists")
                            .start();
                    try {
                        await().atMost(Duration.ofSeconds(40))
                                .ignoreExceptionsInstanceOf(LockBackendException.class)
                                .until(() -> deploy.tryLock("key").isPresent());
                    } finally {
                        database.stop();
                    }
                });
    }

    @Test
    void tablesThatAreRefusedAreNotTriedAgain(CapturedOutput output) {
        AtomicInteger attempts = new AtomicInteger();
        try (LockSchemaInitializer tables = new LockSchemaInitializer()) {
            tables.create(() -> {
                attempts.incrementAndGet();
                throw new BackendFailure(Effect.REFUSED, "no permission", null);
            });
            await().pollDelay(Duration.ofSeconds(2)).until(() -> attempts.get() == 1);
        }
        assertThat(output).contains("Lock tables could not be created: no permission. Locks cannot be acquired");
    }

    @Test
    void aStoreThatWasReplacedDoesNotTryAgain() {
        AtomicInteger ofReplaced = new AtomicInteger();
        AtomicInteger ofLatest = new AtomicInteger();
        try (LockSchemaInitializer tables = new LockSchemaInitializer()) {
            tables.create(() -> fail(ofReplaced));
            tables.create(() -> fail(ofLatest));
            await().until(() -> ofLatest.get() == 3);
            assertThat(ofReplaced).hasValueLessThanOrEqualTo(2);
        }
    }

    /** As a client may, which closes its classes or has none of the memory that it needs. */
    @Test
    void tablesAreTriedAgainAfterAnyFailure() {
        AtomicInteger attempts = new AtomicInteger();
        try (LockSchemaInitializer tables = new LockSchemaInitializer()) {
            tables.create(() -> {
                if (attempts.incrementAndGet() == 1) {
                    throw new BackendFailure(Effect.NOT_DONE, "the database does not answer", null);
                } else if (attempts.get() == 2) {
                    throw new NoClassDefFoundError("of the driver");
                }
            });
            await().until(() -> attempts.get() == 3);
        }
    }

    private static void fail(AtomicInteger attempts) {
        attempts.incrementAndGet();
        throw new BackendFailure(Effect.NOT_DONE, "the database does not answer", null);
    }

    private ApplicationContextRunner runnerWithDatabase(String url, String backend) {
        return runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + url,
                        "lock.lockers.deploy.backend=" + backend,
                        "lock." + backend + ".command-timeout=2s",
                        "lock." + backend + ".initialize-schema=true");
    }

    /** The application is up; the locker whose store is absent is not. */
    private static Locker failingLocker(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        Locker deploy = context.getBean("deployLocker", Locker.class);
        assertThatThrownBy(() -> deploy.tryLock("key")).isInstanceOf(LockBackendException.class);
        return deploy;
    }

    private static void assertThatOtherLockersWork(Locker other) {
        try (LockHandle held = other.lock("key")) {
            assertThat(held.isHeld()).isTrue();
        }
    }

    private static void awaitTold(CapturedOutput output, String store) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(output)
                        .contains("Lock store '" + store + "' could not be checked")
                        .contains("Its lockers fail until it answers"));
    }
}
