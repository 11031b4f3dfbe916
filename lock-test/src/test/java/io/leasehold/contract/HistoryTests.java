package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The oracle detects each violation. */
class HistoryTests {

    /** A time close to the overflow of the clock. */
    private static final long T = Long.MAX_VALUE - 15;

    private final History history = new History();

    @Test
    void holdersOneAfterTheOtherWithRisingFencesAreRight() {
        add("a", 1, 0, 10);
        add("a", 2, 11, 20);
        add("a", 5, 21, 21);
        assertThat(history.violations()).isEmpty();
        assertThat(history.size()).isEqualTo(3);
    }

    @Test
    void otherKeysAreOtherLocks() {
        add("a", 2, 0, 10);
        add("b", 1, 5, 15);
        assertThat(history.violations()).isEmpty();
    }

    @Test
    void overlapIsSeen() {
        add("a", 2, 10, 20);
        add("a", 1, 0, 10);
        assertThat(history.violations()).singleElement().asString().startsWith("overlap");
    }

    @Test
    void overlapWithAnEarlierLongerHolderIsSeen() {
        add("a", 1, 0, 100);
        add("a", 2, 10, 20);
        add("a", 3, 50, 60);
        assertThat(history.violations()).hasSize(2).allMatch(line -> line.startsWith("overlap"));
    }

    @Test
    void aFenceThatFallsIsSeen() {
        add("a", 2, 0, 10);
        add("a", 1, 11, 20);
        assertThat(history.violations()).singleElement().asString().startsWith("fence");
    }

    @Test
    void aFenceThatIsAssignedTwiceIsSeen() {
        add("a", 2, 0, 10);
        add("a", 2, 11, 20);
        assertThat(history.violations()).singleElement().asString().startsWith("fence");
    }

    @Test
    void anIntervalThatEndsBeforeItBeginsIsRejected() {
        assertThatThrownBy(() -> add("a", 1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private void add(String key, long fence, long from, long to) {
        history.add(new Grant(key, fence, T + from, T + to, "test"));
    }
}
