package io.leasehold.redis.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.EventExecutorGroup;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The connections of a client of which one leads to a replica, on a timer that the test runs. */
class MasterLookupTests {

    private static final int ROUNDS = 5_000;

    private final Queue<Runnable> timer = new ArrayDeque<>();

    private final EventExecutorGroup executors = proxy(EventExecutorGroup.class, Map.of("schedule", arguments -> {
        timer.add((Runnable) arguments[0]);
        return null;
    }));

    private final ClientResources resources =
            proxy(ClientResources.class, Map.of("eventExecutorGroup", arguments -> executors));

    private final StatefulConnection<?, ?> toReplica = connection();

    private final StatefulConnection<?, ?> connection = connection();

    private final AtomicInteger quits = new AtomicInteger();

    @Test
    void aRecentConnectionIsClosedWhenItIsNotRecentAnyMore() {
        MasterLookup masters = opened();
        masters.renew(toReplica);
        assertThat(quits).hasValue(0);
        timer.remove().run();
        assertThat(quits).hasValue(1);
    }

    @Test
    void aConnectionThatCeasesToBeRecentMeanwhileIsClosed() throws Exception {
        AtomicInteger ready = new AtomicInteger();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                MasterLookup masters = opened();
                Runnable expiry = timer.remove();
                ready.set(0);
                Future<?> expired = thread.submit(() -> {
                    meet(ready);
                    expiry.run();
                });
                meet(ready);
                masters.renew(toReplica);
                expired.get();
                assertThat(quits).hasValue(round);
            }
        } finally {
            thread.shutdownNow();
        }
    }

    private static void meet(AtomicInteger ready) {
        ready.incrementAndGet();
        for (int spins = 0; ready.get() < 2; spins++) {
            if (spins < 10_000) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private MasterLookup opened() {
        MasterLookup masters = new MasterLookup();
        masters.add(connection, () -> {
            quits.incrementAndGet();
            return new CompletableFuture<>();
        });
        return masters;
    }

    private StatefulConnection<?, ?> connection() {
        return proxy(
                StatefulConnection.class,
                Map.of(
                        "isOpen",
                        arguments -> true,
                        "getResources",
                        arguments -> resources,
                        "hashCode",
                        arguments -> 1));
    }

    private static <T> T proxy(Class<T> type, Map<String, Function<Object[], Object>> methods) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) ->
                        methods.getOrDefault(method.getName(), any -> null).apply(arguments)));
    }
}
