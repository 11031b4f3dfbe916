package io.leasehold.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks the network again and again, for as long as it is open: one proxy at a time gets one fault for a short while, and
 * is healed. Which, and for how long, comes out of a seed.
 */
public final class Disturbance implements AutoCloseable {

    private static final List<FaultMode> FAULTS = List.of(
            FaultMode.STALL,
            FaultMode.STALL_REQUESTS,
            FaultMode.STALL_REPLIES,
            FaultMode.LOSE_REPLY,
            FaultMode.DELAY,
            FaultMode.RESET,
            FaultMode.REFUSE);

    private final CountDownLatch ended = new CountDownLatch(1);

    private final AtomicInteger faults = new AtomicInteger();

    private final List<FaultProxy> proxies;

    private final int longestMillis;

    private final Random random;

    private final Thread thread;

    /**
     * Starts to disturb.
     *
     * @param proxies what is broken
     * @param longest the longest that a fault lasts; calm lasts as long
     */
    public Disturbance(List<FaultProxy> proxies, Duration longest) {
        this.proxies = List.copyOf(proxies);
        this.longestMillis = (int) longest.toMillis();
        this.random = Seeds.random("Disturbance");
        this.thread = new Thread(this::disturb, "disturbance");
        thread.start();
    }

    /** How many faults there were. */
    public int faults() {
        return faults.get();
    }

    /** Ends the disturbance and heals everything. */
    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void disturb() {
        try {
            while (!pause()) {
                FaultProxy proxy = proxies.get(random.nextInt(proxies.size()));
                try {
                    disturb(proxy, FAULTS.get(random.nextInt(FAULTS.size())));
                    faults.incrementAndGet();
                    pause();
                } finally {
                    proxy.pass();
                }
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void disturb(FaultProxy proxy, FaultMode fault) {
        if (fault == FaultMode.DELAY) {
            proxy.delay(Duration.ofMillis(random.nextInt(longestMillis)));
        } else {
            proxy.set(fault);
        }
    }

    private boolean pause() throws InterruptedException {
        return ended.await(1 + random.nextInt(longestMillis), TimeUnit.MILLISECONDS);
    }
}
