package io.leasehold.benchmarks.store;

import io.leasehold.testsupport.FaultProxy;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A store at a distance. A proxy on the loopback interface delays all bytes in each direction by half of the round
 * trip, without reordering or limiting them. The proxy counts round trips. The figures of the store itself are read
 * without the proxy.
 */
public final class DistantStore implements Store {

    private static final Pattern HOST_AND_PORT = Pattern.compile("(127\\.0\\.0\\.1|localhost):(\\d+)");

    private final Store store;

    private final Duration roundTrip;

    private final FaultProxy proxy;

    private final String address;

    /**
     * Puts a store at a distance.
     *
     * @param store the near store; closing this store closes it
     * @param roundTrip the time that is added to each round trip
     */
    public DistantStore(Store store, Duration roundTrip) {
        Matcher near = HOST_AND_PORT.matcher(store.address());
        if (!near.find()) {
            throw new IllegalArgumentException("no host and port of the loopback interface in " + store.address());
        }
        this.store = store;
        this.roundTrip = roundTrip;
        proxy = new FaultProxy(Integer.parseInt(near.group(2)));
        proxy.delay(roundTrip.dividedBy(2));
        address = near.replaceFirst("$1:" + proxy.port());
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public Duration roundTrip() {
        return roundTrip;
    }

    @Override
    public StoreWork work() {
        StoreWork work = store.work();
        return new StoreWork(work.commands(), work.cpuSeconds(), proxy.roundTrips());
    }

    @Override
    public String version() {
        return store.version();
    }

    @Override
    public double shareSentDuring(Runnable load) {
        return store.shareSentDuring(load);
    }

    @Override
    public void close() {
        proxy.close();
        store.close();
    }
}
