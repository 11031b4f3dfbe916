package io.leasehold.autoconfigure.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.ClosingOrder;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** In which store a locker locks. */
@ExtendWith(OutputCaptureExtension.class)
class LockBackendsTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class));

    @Test
    void memoryHasToBeNamedAndSaysWhatItDoesNotDo(CapturedOutput output) {
        runner.withPropertyValues("lock.lockers.deploy.backend=memory").run(context -> {
            assertThat(context.getBean(LockerRegistry.class).status("deploy").backend())
                    .isEqualTo("memory");
            assertThat(output).contains("Backend 'memory' locks within this JVM only");
        });
    }

    @Test
    void anApplicationThatLocksNothingStartsWithoutAStore(CapturedOutput output) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(LockerRegistry.class).status("default").backend())
                    .isEqualTo("none");
            assertThat(output).doesNotContain("WARN  [main]");
        });
    }

    @Test
    void theDefaultLockerFailsWhenItIsAskedForWithoutAStore() {
        runner.run(context -> assertThatThrownBy(() -> context.getBean(Locker.class))
                .hasRootCauseInstanceOf(LockConfigurationException.class)
                .rootCause()
                .hasMessage("'lock.backend' must be set, since no store is configured in which to keep locks"));
    }

    @Test
    void lockersWithTheSameBackendShareOneStore() {
        runner.withPropertyValues(
                        "lock.backend=memory", "lock.lockers.a.namespace=shared", "lock.lockers.b.namespace=shared")
                .run(context ->
                        assertThat(context.getBean(LockBackends.class).used()).containsOnlyKeys("memory"));
    }

    @Test
    void aBeanOfTheApplicationIsAStoreUnderItsName() {
        runner.withBean("ordersStore", LockBackend.class, LockBackendsTests::memory)
                .withPropertyValues("lock.lockers.orders.backend=ordersStore", "lock.lockers.orders.ttl=10s")
                .run(context -> {
                    try (LockHandle handle =
                            context.getBean("ordersLocker", Locker.class).lock("key")) {
                        assertThat(handle.isHeld()).isTrue();
                    }
                    assertThat(context.getBean(LockBackends.class).used())
                            .containsEntry("ordersStore", context.getBean(LockBackend.class));
                });
    }

    @Test
    void theStoreIsClosedAfterTheEngine() {
        ClosingOrder order = new ClosingOrder();
        runner.withBean("ordersStore", LockBackend.class, () -> new RecordingBackend(memory(), order))
                .withPropertyValues("lock.lockers.orders.backend=ordersStore", "lock.lockers.orders.ttl=10s")
                .run(context -> context.getBean("ordersLocker", Locker.class).lock("key"));

        assertThat(order.events()).containsExactly("release", "close");
    }

    @Test
    void aStoreThatCannotBeClosedLeavesNoOtherOpen(CapturedOutput output) {
        for (Consumer<LockBackends> end : List.<Consumer<LockBackends>>of(LockBackends::close, LockBackends::pause)) {
            List<String> ended = new ArrayList<>();
            LockBackends backends = backends(List.of(factory("first", ended), factory("second", ended)));
            backends.get("first");
            backends.get("second");
            end.accept(backends);
            assertThat(ended).containsExactlyInAnyOrder("first", "second");
        }
        assertThat(output).contains("A store was not closed").contains("the client does not end");
    }

    /** A thread may be creating the first store while the application context is closed. */
    @Test
    void aStoreThatIsCreatedAfterTheEndIsClosed() {
        List<String> ended = new ArrayList<>();
        LockBackendFactory factory = factory("late", ended);
        LockBackends[] backends = new LockBackends[1];
        backends[0] = backends(List.of(new LockBackendFactory() {

            @Override
            public String backend() {
                return "late";
            }

            @Override
            public String setBy() {
                return factory.setBy();
            }

            @Override
            public LockBackend create() {
                backends[0].close();
                return factory.create();
            }
        }));
        assertThatIllegalStateException()
                .isThrownBy(() -> backends[0].get("late"))
                .withMessageContaining("store 'late' is not opened");
        assertThat(ended).containsExactly("late");
        assertThat(backends[0].used()).isEmpty();
    }

    private static LockBackends backends(List<LockBackendFactory> factories) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        return new LockBackends(
                factories, new DedicatedRedis.Stores(beans.getBeanProvider(DedicatedRedis.Factory.class)), beans);
    }

    /** A factory of stores that note their end, and then fail. */
    private static LockBackendFactory factory(String name, List<String> ended) {
        return new LockBackendFactory() {

            @Override
            public String backend() {
                return name;
            }

            @Override
            public String setBy() {
                return "a test";
            }

            @Override
            public LockBackend create() {
                return new DelegatingLockBackend(memory()) {

                    @Override
                    public void close() {
                        ended.add(name);
                        throw new IllegalStateException("the client does not end");
                    }
                };
            }
        };
    }

    private static LockBackend memory() {
        return new MemoryLockBackend(System::nanoTime, InstantSource.system());
    }
}
