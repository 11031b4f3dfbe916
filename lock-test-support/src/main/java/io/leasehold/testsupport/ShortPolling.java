package io.leasehold.testsupport;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Polls conditions at once, and often: most are met within milliseconds. Awaitility polls each after 100 ms for the
 * first time, which adds up to minutes in all tests. The launcher of the tests finds this class by its service file.
 */
public final class ShortPolling implements LauncherSessionListener {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}
