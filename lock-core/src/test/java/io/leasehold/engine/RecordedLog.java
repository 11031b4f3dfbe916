package io.leasehold.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Records the log of a class for a test and hides it from other appenders. */
final class RecordedLog implements AutoCloseable {

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final Logger logger;

    private final @Nullable Level before;

    RecordedLog(Class<?> logging) {
        this(logging, null);
    }

    /** @param level the level while this log is recorded, {@code null} for that of the tests */
    RecordedLog(Class<?> logging, @Nullable Level level) {
        logger = (Logger) LoggerFactory.getLogger(logging);
        before = logger.getLevel();
        if (level != null) {
            logger.setLevel(level);
        }
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    List<String> messages() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
