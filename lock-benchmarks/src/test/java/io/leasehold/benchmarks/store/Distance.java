package io.leasehold.benchmarks.store;

import io.leasehold.benchmarks.report.Numbers;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How far away the stores are.
 *
 * @param roundTrip the time that a request and its answer take longer
 */
public record Distance(Duration roundTrip) {

    private static final String MARK = "@";

    /**
     * The name of a row at this distance.
     *
     * @param row the row's name on the loopback interface
     * @return a name of its own for each distance
     */
    public String name(String row) {
        return roundTrip.isZero() ? row : row + MARK + millis();
    }

    /**
     * The name of a row without the distance.
     *
     * @param name of a row at any distance
     * @return its name on the loopback interface
     */
    public static String withoutDistance(String name) {
        return name.replaceFirst(MARK + ".*", "");
    }

    /**
     * The title of a row at this distance.
     *
     * @param title what is measured
     * @return the title with the distance, if there is one
     */
    public String title(String title) {
        return roundTrip.isZero() ? title : title + ", the store " + millis() + " away";
    }

    /**
     * Puts stores at this distance.
     *
     * @param near starts a store
     * @return starts it at the distance
     */
    public Supplier<? extends Store> store(Supplier<? extends Store> near) {
        return roundTrip.isZero() ? near : () -> new DistantStore(near.get(), roundTrip);
    }

    private String millis() {
        String millis = Numbers.millis(roundTrip.toNanos());
        return (millis.contains(".") ? millis.replaceFirst("0+$", "").replaceFirst("\\.$", "") : millis) + "ms";
    }
}
