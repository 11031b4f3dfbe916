package io.leasehold.contract.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** The contract detects each mistake. */
class ContractTests {

    @AfterEach
    void repair() {
        BrokenBackendContract.mistake = null;
    }

    @ParameterizedTest
    @EnumSource
    void aMistakeIsDetected(Mistake mistake) {
        assertThat(mistake.detectedBy()).isNotEmpty().allSatisfy(test -> {
            Events events = run(mistake, selectMethod(BrokenBackendContract.class, test));
            assertThat(events.started().count()).isEqualTo(1);
            assertThat(events.failed().count()).isEqualTo(1);
        });
    }

    @Test
    void aStoreWithoutMistakeSatisfiesTheContract() {
        Events events = run(null, selectClass(BrokenBackendContract.class));
        events.assertStatistics(all -> all.failed(0).skipped(0).aborted(0));
        assertThat(events.succeeded().count()).isGreaterThan(120);
    }

    private static Events run(@Nullable Mistake mistake, DiscoverySelector selector) {
        BrokenBackendContract.mistake = mistake;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selector)
                .execute()
                .testEvents();
    }
}
