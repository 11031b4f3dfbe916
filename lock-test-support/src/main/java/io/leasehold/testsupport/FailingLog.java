package io.leasehold.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** A log whose disk is full: each call of the library throws. */
public final class FailingLog {

    private FailingLog() {}

    /** Does something while the log fails. */
    public static void during(Runnable work) {
        LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
        logs.addTurboFilter(new TurboFilter() {
            @Override
            public FilterReply decide(
                    Marker marker, Logger logger, Level level, String format, Object[] values, Throwable thrown) {
                if (logger.getName().startsWith("io.leasehold.")) {
                    throw new IllegalStateException("the disk is full");
                }
                return FilterReply.NEUTRAL;
            }
        });
        try {
            work.run();
        } finally {
            logs.resetTurboFilterList();
        }
    }
}
