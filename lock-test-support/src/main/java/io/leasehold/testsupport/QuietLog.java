package io.leasehold.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a logger silent while a test provokes what it reports. */
public final class QuietLog implements AutoCloseable {

    private final Logger logger;

    private final Level before;

    /**
     * Silences a logger and those below it.
     *
     * @param name the logger's name
     */
    public QuietLog(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        before = logger.getLevel();
        logger.setLevel(Level.OFF);
    }

    /** Lets the logger speak again. */
    @Override
    public void close() {
        logger.setLevel(before);
    }
}
