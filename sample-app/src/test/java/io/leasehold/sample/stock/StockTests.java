package io.leasehold.sample.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.sample.SampleTest;
import io.leasehold.sample.stock.StockController.Report;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.web.server.ResponseStatusException;

/** More is sold than there is, unless it is sold under a lock. */
@SampleTest
class StockTests {

    private static final int ITEMS = 10;

    private static final int BUYERS = 40;

    @Autowired
    private StockController stock;

    @Autowired
    private Warehouse warehouse;

    @RepeatedTest(3)
    void neverSellsMoreThanThereIsUnderTheLock() throws InterruptedException {
        Report report = stock.open(ITEMS, BUYERS, true);

        assertThat(report.sold()).isEqualTo(ITEMS);
        assertThat(report.oversold()).isZero();
        assertThat(warehouse.itemsLeft(report.rush())).isZero();
    }

    @Test
    void oversellsWithoutTheLock() throws InterruptedException {
        Report report = stock.open(ITEMS, BUYERS, false);

        assertThat(report.oversold()).isPositive();
    }

    @Test
    void leavesWhatNobodyWants() throws InterruptedException {
        Report report = stock.open(ITEMS, 3, true);

        assertThat(report.sold()).isEqualTo(3);
        assertThat(warehouse.itemsLeft(report.rush())).isEqualTo(ITEMS - 3);
    }

    @Test
    void refusesACrowdThatDoesNotFit() {
        assertThatThrownBy(() -> stock.open(ITEMS, 201, true))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("'buyers' must be 1 to 200: 201");
    }
}
