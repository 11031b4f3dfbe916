package io.leasehold.sample.stock;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The buyers of this instance, each on a thread of its own. They all start at the same time, and buy one item each. */
@Component
class Crowd {

    private static final Logger log = LoggerFactory.getLogger(Crowd.class);

    private final Shop shop;

    Crowd(Shop shop) {
        this.shop = shop;
    }

    /** Returns when the last buyer has got an item, or has not. */
    void run(Rush rush) throws InterruptedException {
        CountDownLatch opening = new CountDownLatch(1);
        ExecutorService buyers = Executors.newFixedThreadPool(rush.buyers());
        try {
            for (int i = 0; i < rush.buyers(); i++) {
                buyers.execute(() -> buy(rush, opening));
            }
            opening.countDown();
        } finally {
            buyers.shutdown();
            if (!buyers.awaitTermination(1, TimeUnit.MINUTES)) {
                buyers.shutdownNow();
            }
        }
    }

    private void buy(Rush rush, CountDownLatch opening) {
        try {
            opening.await();
            if (rush.locked()) {
                shop.buy(rush);
            } else {
                shop.buyUnlocked(rush);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException ex) {
            log.warn("A buyer has gone home: {}", ex.toString());
        }
    }
}
