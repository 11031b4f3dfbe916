package io.leasehold.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Nodes that do not answer do not delay requests to the others. */
class HealthOrderTests {

    private final NodeGroup.HealthOrder order = new NodeGroup.HealthOrder(5);

    @Test
    void nodesThatDidNotAnswerAreAskedLast() {
        order.timedOut(0);
        order.timedOut(3);
        assertThat(order.now()).startsWith(1, 2, 4).contains(0, 3);
    }

    @Test
    void nodesThatAnswerAgainAreAskedInTheirTurn() {
        order.timedOut(0);
        order.answered(0);
        assertThat(order.now()).containsExactly(0, 1, 2, 3, 4);
    }
}
