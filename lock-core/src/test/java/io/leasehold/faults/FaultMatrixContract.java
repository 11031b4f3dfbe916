package io.leasehold.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every operation meets every fault at every position, on a real store. A subclass is only set-up. What is checked says
 * {@link CaseRun}. A cut of the matrix belongs to the normal run; the whole of it is tagged {@code soak}.
 */
abstract class FaultMatrixContract {

    private static final int CUT = 24;

    private static final int WHOLE = 576;

    private static final int ROUNDS = 8;

    private final QuietLog quiet = new QuietLog("ROOT");

    @AfterEach
    void speakAgain() {
        quiet.close();
    }

    /** The store of the normal run, with faults of the network only unless it is a cheap one. */
    abstract BreakableStore store();

    /** The store of the whole matrix, with servers of its own. */
    BreakableStore ownStore() {
        return store();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aCutOfTheMatrix() throws InterruptedException, ExecutionException {
        run(store(), 12, CUT, 0);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void theWholeMatrix() throws InterruptedException, ExecutionException {
        run(ownStore(), 12, WHOLE, ROUNDS);
    }

    private static void run(BreakableStore store, int lanes, int cases, int rounds)
            throws InterruptedException, ExecutionException {
        long seed = Seeds.next("the fault matrix of " + store.name());
        try (store;
                FaultSuite suite = new FaultSuite(store, lanes, seed)) {
            suite.breakNetworks(cases);
            suite.breakServers(rounds);
            Findings findings = suite.findings();
            FaultTable.write(store.name(), findings, seed);
            assertThat(findings.violations()).as("seed %d", seed).isEmpty();
            assertThat(findings.history().size()).isGreaterThan(cases);
        }
    }
}
