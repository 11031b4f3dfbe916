package io.leasehold.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Hold;
import io.leasehold.benchmarks.contestant.LockClient;
import io.leasehold.benchmarks.contestant.Role;
import io.leasehold.benchmarks.process.Workbench;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedLoopTests {

    private static final Duration WINDOW = Duration.ofMillis(500);

    private final String ledger = SharedLedger.create();

    private final ReentrantLock lock = new ReentrantLock();

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLockThatExcludesLosesNoEntry(int sectionMillis) throws Exception {
        LoopOutcome outcome = run(
                key -> {
                    lock.lock();
                    return lock::unlock;
                },
                Duration.ofMillis(sectionMillis));
        assertThat(SharedLedger.open(ledger).entries()).isEqualTo(outcome.acquisitions());
        assertThat(outcome.waits().count()).isEqualTo(outcome.acquisitions());
        assertThat(outcome.perCaller()).hasSize(4);
        assertThat(outcome.acquisitions()).isPositive();
        assertThat(outcome.inWindow()).isLessThanOrEqualTo(outcome.acquisitions());
        assertThat(outcome.errors()).isZero();
    }

    @Test
    void aLockThatDoesNotExcludeLosesEntries() throws Exception {
        Hold nothing = () -> {};
        LoopOutcome outcome = run(key -> nothing, Duration.ofMillis(5));
        assertThat(SharedLedger.open(ledger).entries()).isLessThan(outcome.acquisitions());
    }

    @Test
    void failuresAreCountedAndEndTheLoopIfThereAreNoOthers() throws Exception {
        LoopOutcome outcome = run(
                key -> {
                    throw new IllegalStateException("refused");
                },
                Duration.ZERO);
        assertThat(outcome.errors()).isPositive();
        assertThat(outcome.firstError()).contains("refused");
        assertThat(outcome.acquisitions()).isZero();
    }

    private LoopOutcome run(LockClient client, Duration section) throws Exception {
        Contestant contestant = new Someone();
        Workbench bench = new Workbench();
        bench.put(contestant, client);
        return new ClosedLoop(contestant, Callers.PLATFORM, 4, Keys.ONE, ledger, section, WINDOW).run(bench);
    }

    private record Someone() implements Contestant {

        @Override
        public String label() {
            return "someone";
        }

        @Override
        public Role role() {
            return Role.PEER;
        }

        @Override
        public LockClient open(String store, Duration ttl) {
            throw new IllegalStateException("is open");
        }
    }
}
