package io.leasehold.testsupport;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Shortens the pauses in which Awaitility polls a condition. Most conditions are met within milliseconds. The default
 * polls each after 100 ms for the first time, which adds up to minutes in all tests. The launcher of the tests finds
 * this class by its service file.
 */
public final class ShortPolling implements LauncherSessionListener {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
