package io.leasehold.engine;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Records the log of a class for a test and hides it from other appenders. */
final class RecordedLog implements AutoCloseable {

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    private final Logger logger;

    RecordedLog(Class<?> logging) {
        logger = (Logger) LoggerFactory.getLogger(logging);
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
    }
}
