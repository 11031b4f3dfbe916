package io.leasehold.benchmarks;

import io.leasehold.benchmarks.report.Numbers;
import io.leasehold.benchmarks.store.DistantStore;
import io.leasehold.benchmarks.store.Store;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How far away the stores are.
 *
 * @param roundTrip the time that a request and its answer take longer
 */
record Distance(Duration roundTrip) {

    private static final String MARK = "@";

    /** The name of a row at this distance; the row's name alone on the loopback interface. */
    String name(String row) {
        return roundTrip.isZero() ? row : row + MARK + millis();
    }

    /** The name of a row without the distance. */
    static String withoutDistance(String name) {
        return name.replaceFirst(MARK + ".*", "");
    }

    String title(String title) {
        return roundTrip.isZero() ? title : title + ", the store " + millis() + " away";
    }

    Supplier<? extends Store> store(Supplier<? extends Store> near) {
        return roundTrip.isZero() ? near : () -> new DistantStore(near.get(), roundTrip);
    }

    private String millis() {
        String millis = Numbers.millis(roundTrip.toNanos());
        return (millis.contains(".") ? millis.replaceFirst("0+$", "").replaceFirst("\\.$", "") : millis) + "ms";
    }
}
