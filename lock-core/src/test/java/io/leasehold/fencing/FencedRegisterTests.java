package io.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.LockContext;
import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.testsupport.Seeds;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FencedRegisterTests {

    private static final int HOLDERS = 2_000;

    private final FencedRegister<Integer> register = new FencedRegister<>("the register", 0);

    @Test
    void theNewestHolderReadsAndWrites() {
        register.write(7, 1);
        assertThat(register.read(7)).isEqualTo(1);
        assertThat(register.update(8, value -> value + 1)).isEqualTo(2);
        assertThat(register.peek()).isEqualTo(2);
    }

    @Test
    void anOlderHolderIsRefusedAndChangesNothing() {
        register.write(8, 1);
        assertThatExceptionOfType(StaleFencingTokenException.class)
                .isThrownBy(() -> register.write(7, 9))
                .withMessageStartingWith("the register refused fencing token 7: it has seen 8");
        assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> register.update(7, value -> 9));
        assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> register.read(7));
        assertThat(register.peek()).isEqualTo(1);
    }

    @Test
    void anOlderHolderIsRejectedAfterANewerOneHasRead() {
        register.read(8);
        assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> register.write(7, 9));
    }

    @Test
    void aChangeThatFailsChangesNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> register.update(7, value -> {
                    throw new IllegalStateException("no");
                }));
        assertThat(register.read(7)).isZero();
    }

    @Test
    void inAnyOrderTheTokenNeverDecreases() throws Exception {
        FencedRegister<List<Long>> history = new FencedRegister<>("history", List.of());
        List<Long> tokens =
                new ArrayList<>(LongStream.rangeClosed(1, HOLDERS).boxed().toList());
        Collections.shuffle(tokens, Seeds.random("the order of the holders"));
        AtomicInteger refused = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (long token : tokens) {
                ends.add(threads.submit(() -> {
                    try {
                        history.update(token, before -> plus(before, token));
                    } catch (StaleFencingTokenException tooLate) {
                        refused.incrementAndGet();
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(history.peek()).hasSize(HOLDERS - refused.get()).isSorted().endsWith((long) HOLDERS);
    }

    @Test
    void tokensOfRealLocksFit() throws Exception {
        try (LockEngine engine = new LockEngine(new LockListener() {});
                MemoryLockBackend backend = new MemoryLockBackend(System::nanoTime, InstantSource.system())) {
            Locker locker = engine.locker(LockerSettings.of("deploy"), "memory", backend);
            long first = locker.executeLocked("a", () -> token(locker));
            long second = locker.executeLocked("a", () -> token(locker));
            register.write(second, 2);
            assertThatExceptionOfType(StaleFencingTokenException.class).isThrownBy(() -> register.write(first, 1));
        }
    }

    private static long token(Locker locker) {
        return LockContext.find(locker.name(), "a").orElseThrow().fencingToken();
    }

    private static List<Long> plus(List<Long> before, long token) {
        List<Long> after = new ArrayList<>(before);
        after.add(token);
        return List.copyOf(after);
    }
}
