package io.leasehold.sample.servers;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for another process. */
final class Patience {

    private static final int PAUSE_MILLIS = 25;

    private static final int TRIES = 20_000 / PAUSE_MILLIS;

    private Patience() {}

    static void until(String what, Callable<Boolean> ready) throws Exception {
        for (int i = 0; i < TRIES; i++) {
            if (ready.call()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        throw new IOException("no sign of " + what + " after 20 s");
    }
}
