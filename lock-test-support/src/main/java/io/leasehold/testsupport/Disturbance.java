package io.leasehold.testsupport;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Breaks the network repeatedly while it is open. One proxy at a time has one fault for a short time and is then
 * healed. A seed determines the proxies, the faults and their durations.
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
     * Starts the disturbance.
     *
     * @param proxies the proxies to break
     * @param longest the longest duration of a fault, and of the pause between two faults
     */
    public Disturbance(List<FaultProxy> proxies, Duration longest) {
        this.proxies = List.copyOf(proxies);
        this.longestMillis = (int) longest.toMillis();
        this.random = Seeds.random("Disturbance");
        this.thread = new Thread(this::disturb, "disturbance");
        thread.start();
    }

    /** The number of faults so far. */
    public int faults() {
        return faults.get();
    }

    /** Stops the disturbance and heals all proxies. */
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
