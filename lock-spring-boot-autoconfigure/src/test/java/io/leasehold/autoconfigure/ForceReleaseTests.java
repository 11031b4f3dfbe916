package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.Locker;
import io.leasehold.LossReason;
import io.leasehold.actuate.ForcedReleaseDescriptor;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpointWebExtension;
import io.leasehold.aop.FakeTransactions;
import io.leasehold.event.LockForceReleasedEvent;
import io.leasehold.event.LockLostEvent;
import io.leasehold.locker.LockKeyCustomizer;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.LockId;
import java.security.Principal;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks that are taken from their holders through the endpoint. */
class ForceReleaseTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
            .withUserConfiguration(Recorder.class)
            .withPropertyValues(
                    "lock.backend=memory",
                    "lock.instance-name=orders-1",
                    "management.endpoint.locks.show-values=always",
                    "management.endpoints.web.exposure.include=locks");

    private final ApplicationContextRunner enabled = runner.withPropertyValues("lock.force-release.enabled=true");

    @Test
    void itIsOffByDefault() {
        runner.run(context -> {
            try (LockHandle held = context.getBean(Locker.class).lock("a")) {
                WebEndpointResponse<ForcedReleaseDescriptor> response = force(context, "default", "a", 7);
                assertThat(response.getStatus()).isEqualTo(403);
                assertThat(response.getBody().reason()).contains("set 'lock.force-release.enabled' to true");
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @Test
    void theHolderIsToldAndTheTransactionDoesNotCommit() {
        enabled.withBean(FakeTransactions.class).run(context -> {
            Locker locker = context.getBean(Locker.class);
            TransactionTemplate transaction = new TransactionTemplate(context.getBean(FakeTransactions.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                        LockHandle held = locker.lock("a");
                        WebEndpointResponse<ForcedReleaseDescriptor> response =
                                force(context, "default", "a", held.fencingToken());
                        assertThat(response.getStatus()).isEqualTo(200);
                        assertThat(response.getBody().outcome()).isEqualTo("revoked");
                        assertThat(response.getBody().holder()).startsWith("orders-1, thread ");
                    }))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("a forced release");
            assertThat(context.getBean(FakeTransactions.class).outcomes()).containsExactly("rolled back");
            Recorder events = context.getBean(Recorder.class);
            Awaitility.await().until(() -> events.lost.size() == 1 && events.released.size() == 1);
            assertThat(events.lost.get(0).reason()).isEqualTo(LossReason.REVOKED);
            assertThat(events.released.get(0).release().outcome()).isEqualTo(Outcome.REVOKED);
            assertThat(events.released.get(0).release().requestedBy()).isEqualTo("user 'alice'");
        });
    }

    @Test
    void everyRefusalHasAStatusAndASentence() {
        enabled.run(context -> {
            assertThat(force(context, "none", "a", 7).getStatus()).isEqualTo(404);
            assertThat(force(context, "default", "a", 7))
                    .satisfies(response -> assertThat(response.getStatus()).isEqualTo(404))
                    .satisfies(
                            response -> assertThat(response.getBody().outcome()).isEqualTo("free"));
            assertThat(force(context, "default", " ", 7).getStatus()).isEqualTo(400);
            try (LockHandle held = context.getBean(Locker.class).lock("a")) {
                WebEndpointResponse<ForcedReleaseDescriptor> response =
                        force(context, "default", "a", held.fencingToken() - 1);
                assertThat(response.getStatus()).isEqualTo(409);
                assertThat(response.getBody().reason()).contains("is not that of the present holder");
                assertThat(held.isHeld()).isTrue();
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void everyOutcomeHasAStatusAndASentence(Outcome outcome) {
        int status = switch (outcome) {
            case REVOKED, REMOVED -> 200;
            case FREE -> 404;
            case OTHER_HOLDER, FOREIGN -> 409;
            case UNSUPPORTED -> 501;
        };
        answering(CompletableFuture.completedFuture(outcome)).run(context -> {
            LockHandle held = context.getBean(Locker.class).lock("a");
            WebEndpointResponse<ForcedReleaseDescriptor> response = force(context, "default", "a", held.fencingToken());
            assertThat(response.getStatus()).isEqualTo(status);
            assertThat(response.getBody())
                    .isEqualTo(new ForcedReleaseDescriptor(
                            outcome.name().toLowerCase(Locale.ROOT),
                            "orders-1, thread " + Thread.currentThread().getId(),
                            outcome.explanation()));
            assertThat(held.isHeld()).isEqualTo(outcome != Outcome.REVOKED);
        });
    }

    @Test
    void aStoreThatDoesNotAnswerIsUnavailable() {
        answering(new CompletableFuture<>())
                .withPropertyValues("lock.defaults.command-timeout=100ms")
                .run(context -> {
                    LockHandle held = context.getBean(Locker.class).lock("a");
                    WebEndpointResponse<ForcedReleaseDescriptor> response =
                            force(context, "default", "a", held.fencingToken());
                    assertThat(response.getStatus()).isEqualTo(503);
                    assertThat(response.getBody().outcome()).isEqualTo("unknown");
                    assertThat(response.getBody().holder()).isNull();
                    assertThat(response.getBody().reason())
                            .startsWith("whether the holder can still renew lock 'a' of locker 'default' is unknown: "
                                    + "the store did not answer within 100 ms");
                    assertThat(context.getBean(Recorder.class).released).isEmpty();
                });
    }

    @Test
    void theKeyIsMaskedOnItsWay() {
        enabled.withPropertyValues("lock.mask-keys=true").run(context -> {
            LockHandle held = context.getBean(Locker.class).lock("a");
            assertThat(force(context, "default", "a", held.fencingToken()).getStatus())
                    .isEqualTo(200);
            Recorder events = context.getBean(Recorder.class);
            Awaitility.await().until(() -> events.released.size() == 1);
            assertThat(events.released.get(0).release().key()).startsWith("sha256:");
        });
    }

    @Test
    void theKeyIsTakenAsItIsListed() {
        enabled.withBean(LockKeyCustomizer.class, () -> (locker, key) -> "tenant/" + key)
                .run(context -> {
                    LockHandle held = context.getBean(Locker.class).lock("a");
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    assertThat(endpoint.list("default", 10, null).locks())
                            .singleElement()
                            .satisfies(lock -> assertThat(lock.key()).isEqualTo("tenant/a"));
                    assertThat(endpoint.lock("default", "tenant", "a").state()).isNotEqualTo("free");
                    assertThat(force(context, "default", "tenant/a", held.fencingToken())
                                    .getStatus())
                            .isEqualTo(200);
                    assertThat(held.isHeld()).isFalse();
                });
    }

    /** Boot leaves out operations that write if access to the endpoint is read-only. */
    @Test
    void itIsAnOperationThatWrites() {
        assertThat(LocksEndpointWebExtension.class.getMethods())
                .filteredOn(method -> method.isAnnotationPresent(DeleteOperation.class))
                .hasSize(2);
        assertThat(LocksEndpoint.class.getMethods())
                .noneMatch(method -> method.isAnnotationPresent(DeleteOperation.class));
    }

    private ApplicationContextRunner answering(CompletableFuture<Outcome> answer) {
        return enabled.withBean("answering", LockBackend.class, () -> new Answering(answer))
                .withPropertyValues("lock.backend=answering");
    }

    private static WebEndpointResponse<ForcedReleaseDescriptor> force(
            AssertableApplicationContext context, String locker, String key, long fencingToken) {
        return context.getBean(LocksEndpointWebExtension.class).forceRelease(new Alice(), locker, fencingToken, key);
    }

    /** A store that answers each forced release alike, and changes nothing. */
    private static final class Answering extends DelegatingLockBackend {

        private final CompletableFuture<Outcome> answer;

        Answering(CompletableFuture<Outcome> answer) {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
            this.answer = answer;
        }

        @Override
        public CompletionStage<Outcome> revoke(LockId id, long fencingToken) {
            return answer;
        }
    }

    private static final class Alice implements SecurityContext {

        @Override
        public Principal getPrincipal() {
            return () -> "alice";
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Recorder {

        private final List<LockLostEvent> lost = new CopyOnWriteArrayList<>();

        private final List<LockForceReleasedEvent> released = new CopyOnWriteArrayList<>();

        @EventListener
        void onLost(LockLostEvent event) {
            lost.add(event);
        }

        @EventListener
        void onForcedRelease(LockForceReleasedEvent event) {
            released.add(event);
        }
    }
}
