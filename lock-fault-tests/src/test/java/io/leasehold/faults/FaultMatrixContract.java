package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every operation meets every fault at every position, on a real store. Subclasses only set the store up.
 * {@link CaseRun} documents the checks. The whole matrix is tagged {@code soak}; {@link FaultMatrixCutTests} runs a
 * random part of it.
 */
abstract class FaultMatrixContract {

    private static final int LANES = 12;

    private static final int WHOLE = 648;

    private static final int ROUNDS = 8;

    private static final int INTERRUPTS = 500;

    private final QuietLog quiet = new QuietLog("ROOT");

    @AfterEach
    void speakAgain() {
        quiet.close();
    }

    /** A store that other tests may use at the same time. */
    abstract BreakableStore store();

    /** A store with servers of its own. */
    BreakableStore ownStore() {
        return store();
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void theWholeMatrix() throws InterruptedException, ExecutionException {
        run(ownStore(), WHOLE, INTERRUPTS, ROUNDS, Duration.ZERO);
    }

    static void run(BreakableStore store, int cases, int interrupts, int rounds, Duration slack)
            throws InterruptedException, ExecutionException {
        Optional<Repetition> repetition = Repetition.given();
        long seed = Seeds.next("the fault matrix of " + store.name());
        try (store;
                FaultSuite suite = new FaultSuite(store, LANES, seed, slack)) {
            if (repetition.isPresent()) {
                suite.repeat(repetition.get());
            } else {
                suite.breakNetworks(cases);
                suite.checkPromises();
                suite.interrupt(interrupts);
                suite.breakServers(rounds);
            }
            Findings findings = suite.findings();
            System.out.println(store.name() + ": " + findings.cases() + " cases, answers " + findings.answers());
            if (repetition.isEmpty()) {
                FaultTable.write(store.name(), findings, seed);
            }
            assertThat(findings.violations()).as("seed %d", seed).isEmpty();
            assertThat(findings.history().size()).isGreaterThan(findings.cases());
        }
    }
}
