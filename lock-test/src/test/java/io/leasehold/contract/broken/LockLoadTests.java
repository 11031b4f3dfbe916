package io.leasehold.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListener;
import io.leasehold.Locker;
import io.leasehold.contract.LockLoad;
import io.leasehold.engine.LockEngine;
import io.leasehold.engine.LockerSettings;
import io.leasehold.testsupport.QuietLog;
import io.leasehold.testsupport.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A load of careless users detects a store with a mistake: two users work at the same time, or tokens do not increase.
 */
class LockLoadTests {

    private static final Duration TTL = Duration.ofMillis(150);

    private final QuietLog quiet = new QuietLog("io.leasehold.engine");

    private final List<LockEngine> engines = new ArrayList<>();

    @AfterEach
    void close() {
        engines.forEach(LockEngine::close);
        quiet.close();
    }

    @ParameterizedTest
    @CsvSource({"GRANTS_A_HELD_LOCK, overlap", "GRANTS_TWO_OF_MANY, overlap", "FENCES_IGNORE_THE_BLOCK, fence"})
    void aMistakeIsSeen(Mistake mistake, String violation) {
        LockLoad load = new LockLoad(lockersOn(new BrokenStore(System::nanoTime, mistake)), List.of("a"), TTL);
        load.run(9, 40, Seeds.random("LockLoad"));
        assertThat(load.history().violations()).anyMatch(line -> line.startsWith(violation));
    }

    @Test
    void withoutMistakeNothingIsSeen() {
        LockLoad load = new LockLoad(lockersOn(new BrokenStore(System::nanoTime, null)), List.of("a"), TTL);
        load.run(9, 40, Seeds.random("LockLoad"));
        assertThat(load.history().violations()).isEmpty();
        assertThat(load.storeFailures()).isEmpty();
    }

    private List<Locker> lockersOn(BrokenStore store) {
        LockerSettings settings = LockerSettings.of("load").withTtl(TTL).withCommandTimeout(Duration.ofMillis(25));
        List<Locker> lockers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LockEngine engine = new LockEngine(new LockListener() {});
            engines.add(engine);
            lockers.add(engine.locker(settings, "broken", new BrokenBackend(store)));
        }
        return lockers;
    }
}
