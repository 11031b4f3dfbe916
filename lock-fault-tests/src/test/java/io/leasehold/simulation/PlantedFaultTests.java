package io.leasehold.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.PlantedEngineFaults;
import io.leasehold.simulation.HistorySearch.Finding;
import io.leasehold.testsupport.QuietLog;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation finds each planted fault alone. It starts at seed 0, so every run has the same findings. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PlantedFaultTests {

    private static final long MOST = 100_000;

    private final QuietLog quiet = new QuietLog("io.leasehold");

    @AfterEach
    void speak() {
        quiet.close();
    }

    @ParameterizedTest
    @EnumSource
    void aFaultOfTheEngineIsFound(PlantedEngineFaults fault) throws ReflectiveOperationException {
        long begin = System.nanoTime();
        Object found = new PlantingClassLoader(fault)
                .loadClass(HistorySearch.class.getName())
                .getMethod("find", long.class, long.class)
                .invoke(null, 0L, MOST);
        print(fault, found, begin);
        assertThat(found).asString().containsPattern(expected(fault));
    }

    @Test
    void votersThatVoteTooEarlyAfterARestartAreFound() {
        long begin = System.nanoTime();
        Finding found = new HistorySearch(0, Stores.WITH_EARLY_VOTERS).run(MOST, TimeUnit.MINUTES.toNanos(5));
        print("EARLY_VOTERS", found, begin);
        assertThat(found).asString().contains("both hold");
    }

    private static String expected(PlantedEngineFaults fault) {
        return switch (fault) {
            case LATE_SIGNAL_RELEASES -> "was released by another hand than its own";
            case RESERVES_TOO_MANY_TOKENS -> "is not greater than";
            case REPEATED_RELEASE_FORGETS_MIN_HOLD -> "was cut short";
            case SHUTDOWN_DOES_NOT_WAIT -> "was shut down and has left in the store|waits without end";
            case FAILED_STEP_KEEPS_ITS_PLACE -> "is idle and has 1 queues";
            case CONTINUATIONS_ON_ENGINE_THREADS -> "the continuation of";
            case VALIDITY_COUNTS_FROM_THE_GRANT -> "both hold|is not greater than";
            case FORCED_RELEASE_MEETS_A_HAND_OVER -> "no forced release of .* has named it";
            case REVOKED_LEASE_IS_REMOVED -> "was revoked, and removed while its holder works";
            case LONGER_RENEWAL_IS_FORGOTTEN -> "is idle and has left in the store";
        };
    }

    private static void print(Object fault, Object found, long begin) {
        System.out.println(fault + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms: " + found);
    }
}
