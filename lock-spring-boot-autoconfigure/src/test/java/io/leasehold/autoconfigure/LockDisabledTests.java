package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockBackendException;
import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.engine.LockEngine;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

/** What an application does whose locks are switched off. */
@ExtendWith(OutputCaptureExtension.class)
class LockDisabledTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockDisabledAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockMetricsAutoConfiguration.class,
                    LockHealthContributorAutoConfiguration.class,
                    LocksEndpointAutoConfiguration.class))
            .withPropertyValues("lock.enabled=false", "lock.lockers.deploy.ttl=60s")
            .withBean(SimpleMeterRegistry.class)
            .withBean(Work.class);

    @Test
    void whatToDoInsteadHasToBeSaid() {
        FailureAnalysis analysis = StartFailures.of(runner);

        assertThat(analysis.getDescription())
                .startsWith("'lock.disabled-mode' must be set, since 'lock.enabled' is false (set in ")
                .contains("from property source");
        assertThat(analysis.getAction()).contains("'fail'").contains("'run-unlocked'");
    }

    @Test
    void anUnknownWayStopsTheStart() {
        runner.withPropertyValues("lock.disabled-mode=ignore")
                .run(context -> assertThat(context).hasFailed());
    }

    /** It would fail the start, or be missed, when locks are enabled again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            lock.lockrs.deploy.ttl=30s     | 'lock.lockrs.deploy.ttl' is no property of locks
            lock.defaults.tll=30s          | 'lock.defaults.tll' is no property of 'lock.defaults'
            lock.lockers.deploy.tll=30s    | 'lock.lockers.deploy.tll' is no property of a locker
            lock.etcd.endpoint=http://a:1  | 'lock.etcd.endpoint' is no property of 'lock.etcd'
            lock.defaults.ttl=30           | 'lock.defaults.ttl'
            lock.lockers.deploy.ttl=30     | 'lock.lockers.deploy.ttl'
            """)
    void aPropertyThatIsRefusedWithLocksIsRefusedWithoutThem(String property, String message) {
        assertThat(StartFailures.of(runner.withPropertyValues("lock.disabled-mode=run-unlocked", property))
                        .getDescription())
                .startsWith(message);
    }

    @Test
    void noLockIsGranted(CapturedOutput output) {
        runner.withPropertyValues("lock.disabled-mode=fail").run(context -> {
            assertThat(output)
                    .containsOnlyOnce("'lock.disabled-mode' is 'fail'")
                    .contains("WARN");
            Locker deploy = context.getBean("deployLocker", Locker.class);
            assertThatThrownBy(() -> deploy.tryLock("key"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("lock 'key' of locker 'deploy' is not granted")
                    .hasMessageContaining("lock.enabled");
            CompletableFuture<?> async =
                    deploy.tryLockAsync(LockRequest.of("key")).toCompletableFuture();
            assertThatThrownBy(async::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(LockBackendException.class);
            Work work = context.getBean(Work.class);
            assertThatThrownBy(work::run).isInstanceOf(LockBackendException.class);
            assertThat(work.ran()).isFalse();
        });
    }

    @Test
    void everyLockIsGrantedToAll(CapturedOutput output) {
        runner.withPropertyValues("lock.disabled-mode=run-unlocked").run(context -> {
            assertThat(output).containsOnlyOnce("run without one").contains("WARN");
            Locker deploy = context.getBean("deployLocker", Locker.class);
            LockHandle one = deploy.lock("key");
            LockHandle other = deploy.lock("key");
            assertThat(other.fencingToken()).isGreaterThan(one.fencingToken());
            assertThat(one.isHeld()).isTrue();
            assertThat(one.remaining()).isPositive();
            one.renew();
            other.renew(Duration.ofSeconds(1));
            assertThat(one.release()).isTrue();
            assertThat(one.release()).isFalse();
            assertThat(one.isHeld()).isFalse();
            assertThat(other.isHeld()).isTrue();
            assertThatThrownBy(one::renew).isInstanceOf(IllegalStateException.class);
            String ran = deploy.executeLocked("key", () -> "ran");
            assertThat(ran).isEqualTo("ran");
        });
    }

    @Test
    void annotatedMethodsRunWithAHandleThatIsNoLock() {
        runner.withPropertyValues("lock.disabled-mode=run-unlocked").run(context -> {
            Work work = context.getBean(Work.class);
            work.run();
            assertThat(work.ran()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "run-unlocked"})
    void lockersAreInjectedAndFoundAsEver(String mode) {
        runner.withPropertyValues("lock.disabled-mode=" + mode)
                .withUserConfiguration(Injected.class)
                .run(context -> {
                    assertThat(context.getBean(Injected.class).byQualifier.name())
                            .isEqualTo("deploy");
                    assertThat(context.getBean(Injected.class).defaultLocker.name())
                            .isEqualTo("default");
                    LockerRegistry registry = context.getBean(LockerRegistry.class);
                    assertThat(registry.names()).containsExactly("default", "deploy");
                    assertThat(registry.get("deploy")).isSameAs(context.getBean("deployLocker"));
                    assertThat(registry.status("deploy").backend()).isEqualTo("disabled");
                });
    }

    @Test
    void thereIsNeitherAnEngineNorItsMetersAndHealth() {
        runner.withPropertyValues("lock.disabled-mode=fail").run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(LockEngine.class)
                    .doesNotHaveBean("locksHealthIndicator");
            assertThat(context.getBean(SimpleMeterRegistry.class).getMeters()).isEmpty();
        });
    }

    static class Work {

        private boolean ran;

        @DistributedLock(locker = "deploy", key = "'work'")
        public void run() {
            ran = LockContext.current().isPresent();
        }

        public boolean ran() {
            return ran;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Injected {

        @Autowired
        @Qualifier("deploy")
        private Locker byQualifier;

        @Autowired
        private Locker defaultLocker;
    }
}
