package io.leasehold.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Silences a logger while a test provokes its messages. */
public final class QuietLog implements AutoCloseable {

    private final Logger logger;

    private final Level before;

    /** Silences a logger and its descendants. */
    public QuietLog(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(Level.OFF);
    }

    /** Restores the logger's level. */
    @Override
    public void close() {
        logger.setLevel(before);
    }
}
