package io.leasehold.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Records the log of a class for a test and hides it from other appenders. */
public final class RecordedLog implements AutoCloseable {

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final Logger logger;

    private final @Nullable Level before;

    /** Records at the level of the tests. */
    public RecordedLog(Class<?> logging) {
        this(logging, null);
    }

    /**
     * Records at a level.
     *
     * @param level the level while this log is recorded, {@code null} for that of the tests
     */
    public RecordedLog(Class<?> logging, @Nullable Level level) {
        logger = (Logger) LoggerFactory.getLogger(logging);
        before = logger.getLevel();
        if (level != null) {
            logger.setLevel(level);
        }
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    /** The events so far. */
    public List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    /** The messages so far, without those of causes. */
    public List<String> messages() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Ends the recording, and restores the logger. */
    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
