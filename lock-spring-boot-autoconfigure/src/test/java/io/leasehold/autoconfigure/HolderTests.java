package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.LockState.Held;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.actuate.LockDescriptor;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpointWebExtension;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** How an application names itself as a holder of locks, and where it shows the holder of a lock. */
class HolderTests {

    private static final String THIS_THREAD =
            ", thread " + Thread.currentThread().getId();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory",
                    "lock.defaults.wait-time=0s",
                    "spring.application.name=orders",
                    "management.endpoints.web.exposure.include=locks");

    @Test
    void theNameIsMadeOfApplicationHostAndProcess() {
        runner.run(context -> assertThat(held(context).holder())
                .matches("orders@.+:" + ProcessHandle.current().pid() + THIS_THREAD));
    }

    @Test
    void theNameCanBeSet() {
        runner.withPropertyValues("lock.instance-name=line 1\nline 2")
                .run(context -> assertThat(held(context).holder()).isEqualTo("line 1\\u000aline 2" + THIS_THREAD));
    }

    @Test
    void theNameIsMaskedWithTheKeys() {
        runner.withPropertyValues("lock.mask-keys=true")
                .run(context -> assertThat(held(context).holder()).startsWith("sha256:"));
    }

    @Test
    void aLockThatWasNotAcquiredNamesItsHolder() {
        runner.withPropertyValues("lock.instance-name=orders-1")
                .run(withHeldLock(locker -> assertThatThrownBy(() -> locker.lock("a"))
                        .isInstanceOf(LockNotAcquiredException.class)
                        .hasMessageContaining("; now it is held by 'orders-1' since ")));
    }

    @Test
    void theMessageHasNoHolderIfThatIsSwitchedOff() {
        runner.withPropertyValues("lock.instance-name=orders-1", "lock.report-holder=false")
                .run(withHeldLock(locker -> assertThatThrownBy(() -> locker.lock("a"))
                        .isInstanceOf(LockNotAcquiredException.class)
                        .hasMessageEndingWith("ms that were waited")));
    }

    @Test
    void theEndpointMasksTheHolder() {
        runner.withPropertyValues("lock.instance-name=orders-1").run(context -> {
            LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
            try (LockHandle lock = context.getBean(Locker.class).lock("a/b")) {
                LockDescriptor state = Objects.requireNonNull(endpoint.lock("default", "a", "b"));
                assertThat(state.state()).isEqualTo("holder");
                assertThat(state.holder()).isEqualTo("******");
                assertThat(state.fencingToken()).isEqualTo(lock.fencingToken());
                assertThat(state.since()).isNotNull();
                assertThat(state.remaining()).isPositive();
            }
            assertThat(endpoint.lock("default", "a", "b"))
                    .extracting(LockDescriptor::state)
                    .isEqualTo("free");
            assertThat(endpoint.lock("none", "a")).isNull();
        });
    }

    @Test
    void theEndpointShowsTheHolderIfItIsTold() {
        runner.withPropertyValues("lock.instance-name=orders-1", "management.endpoint.locks.show-values=always")
                .run(context -> {
                    try (LockHandle lock = context.getBean(Locker.class).lock("a")) {
                        assertThat(lock.isHeld()).isTrue();
                        assertThat(context.getBean(LocksEndpoint.class).lock("default", "a"))
                                .extracting(LockDescriptor::holder)
                                .isEqualTo("orders-1" + THIS_THREAD);
                    }
                });
    }

    @Test
    void anUnknownLockerIsNotFound() {
        WebEndpointResponse<LockDescriptor> response = web(new Registry()).lock(SecurityContext.NONE, "other", "a");
        assertThat(response.getStatus()).isEqualTo(404);
        assertThat(body(response).reason()).contains("no locker has this name", "silent");
    }

    @Test
    void aKeyThatIsNotValidIsABadRequest() {
        runner.run(context -> {
            WebEndpointResponse<LockDescriptor> response =
                    web(context.getBean(LockerRegistry.class)).lock(SecurityContext.NONE, "default", " ");
            assertThat(response.getStatus()).isEqualTo(400);
            assertThat(body(response).reason()).contains("blank");
        });
    }

    @Test
    void aSilentStoreIsUnavailable() {
        WebEndpointResponse<LockDescriptor> response = web(new Registry()).lock(SecurityContext.NONE, "silent", "a");
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(body(response).state()).isEqualTo("unknown");
        assertThat(body(response).reason()).isEqualTo("the store is silent");
    }

    private static Held held(AssertableApplicationContext context) {
        Locker locker = context.getBean(Locker.class);
        try (LockHandle lock = locker.lock("a")) {
            assertThat(lock.isHeld()).isTrue();
            return (Held) locker.describe("a").toCompletableFuture().join();
        }
    }

    private static ContextConsumer<AssertableApplicationContext> withHeldLock(Consumer<Locker> test) {
        return context -> {
            Locker locker = context.getBean(Locker.class);
            // acquired asynchronously, so that the lock does not belong to this thread
            try (LockHandle lock = locker.tryLockAsync(LockRequest.of("a"))
                    .toCompletableFuture()
                    .join()
                    .orElseThrow()) {
                assertThat(lock.isHeld()).isTrue();
                test.accept(locker);
            }
        };
    }

    private static LocksEndpointWebExtension web(LockerRegistry lockers) {
        LocksEndpoint endpoint = new LocksEndpoint(lockers, Map::of, locker -> null, Show.ALWAYS);
        return new LocksEndpointWebExtension(endpoint, Show.ALWAYS, Set.of());
    }

    private static LockDescriptor body(WebEndpointResponse<LockDescriptor> response) {
        return Objects.requireNonNull(response.getBody());
    }

    /** A registry whose store does not answer. */
    private static final class Registry implements LockerRegistry {

        @Override
        public Locker get(String name) {
            return new SilentLocker(name);
        }

        @Override
        public Set<String> names() {
            return Set.of("silent");
        }

        @Override
        public LockerStatus status(String name) {
            throw new IllegalArgumentException(name);
        }
    }

    private record SilentLocker(String name) implements Locker {

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            throw new AssertionError("not expected");
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            throw new AssertionError("not expected");
        }

        @Override
        public CompletionStage<LockState> describe(String key) {
            return CompletableFuture.failedFuture(new LockBackendException("the store is silent", name, key, null));
        }
    }
}
