package io.leasehold.autoconfigure.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import java.lang.reflect.Method;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The store of an application that may be stopped and started again. */
class PausableLockBackendTests {

    private final List<HintingStore> created = new ArrayList<>();

    /** An operation that is not passed on would have the answer of a store that does not support it. */
    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationIsPassedOn(Method operation) throws ReflectiveOperationException {
        assertThat(PausableLockBackend.class
                        .getMethod(operation.getName(), operation.getParameterTypes())
                        .getDeclaringClass())
                .isEqualTo(PausableLockBackend.class);
    }

    static Method[] operations() {
        return Arrays.stream(LockBackend.class.getMethods())
                .filter(method -> !method.isSynthetic())
                .toArray(Method[]::new);
    }

    @Test
    void aListenerGetsTheHintsOfEachStoreThatIsCreated() {
        PausableLockBackend pausable = new PausableLockBackend(this::create, store -> {});
        List<Long> heard = new ArrayList<>();
        LongConsumer listener = heard::add;
        pausable.onRevocation(listener);
        pausable.onRevocation(listener);

        pausable.pause();
        pausable.resume();
        pausable.connect();

        assertThat(created).hasSize(2);
        created.get(1).listeners.forEach(each -> each.accept(7));
        assertThat(heard).containsExactly(7L);
    }

    /** Each operation would otherwise leave another store with its connections. */
    @Test
    void aStoreWhoseObserverFailsIsClosed() {
        PausableLockBackend pausable = new PausableLockBackend(this::create, store -> {
            throw new IllegalStateException("a meter of that name has other tags");
        });
        pausable.pause();
        pausable.resume();
        assertThatIllegalStateException().isThrownBy(pausable::connect);
        assertThat(created).hasSize(2).allMatch(store -> store.closed);
    }

    private LockBackend create() {
        HintingStore store = new HintingStore();
        created.add(store);
        return store;
    }

    private static final class HintingStore extends DelegatingLockBackend {

        private final List<LongConsumer> listeners = new ArrayList<>();

        private boolean closed;

        HintingStore() {
            super(new MemoryLockBackend(System::nanoTime, InstantSource.system()));
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void onRevocation(LongConsumer listener) {
            listeners.add(listener);
        }
    }
}
