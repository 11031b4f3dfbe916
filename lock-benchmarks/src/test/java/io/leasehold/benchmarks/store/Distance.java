package io.leasehold.benchmarks.store;

import io.leasehold.benchmarks.report.Numbers;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The distance of the stores.
 *
 * @param roundTrip the time that is added to each round trip
 */
public record Distance(Duration roundTrip) {

    private static final String MARK = "@";

    /**
     * Returns the name of a row at this distance.
     *
     * @param row the row's name on the loopback interface
     * @return a name that is different for each distance
     */
    public String name(String row) {
        return roundTrip.isZero() ? row : row + MARK + millis();
    }

    /**
     * Returns the name of a row without the distance.
     *
     * @param name the name of a row at any distance
     * @return its name on the loopback interface
     */
    public static String withoutDistance(String name) {
        return name.replaceFirst(MARK + ".*", "");
    }

    /**
     * Returns the title of a row at this distance.
     *
     * @param title the title without the distance
     * @return the title with the distance, unless the distance is zero
     */
    public String title(String title) {
        return roundTrip.isZero() ? title : title + ", the store " + millis() + " away";
    }

    /**
     * Puts stores at this distance.
     *
     * @param near starts a store
     * @return starts the store at this distance
     */
    public Supplier<? extends Store> store(Supplier<? extends Store> near) {
        return roundTrip.isZero() ? near : () -> new DistantStore(near.get(), roundTrip);
    }

    private String millis() {
        String millis = Numbers.millis(roundTrip.toNanos());
        return (millis.contains(".") ? millis.replaceFirst("0+$", "").replaceFirst("\\.$", "") : millis) + "ms";
    }
}
