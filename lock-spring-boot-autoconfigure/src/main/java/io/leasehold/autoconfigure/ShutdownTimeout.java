package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.property.LockProperties;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The longest wait for holders at shutdown. By default it is as long as the properties of Spring Boot let Spring wait
 * for tasks. Spring waits for them only when it destroys the beans, which is after the end of the locks.
 */
final class ShutdownTimeout {

    private static final Duration LEAST = Duration.ofMillis(500);

    private static final Duration OF_PHASE = Duration.ofSeconds(30);

    private ShutdownTimeout() {}

    static Duration of(Environment environment, LockProperties.Shutdown shutdown) {
        Duration set = shutdown.timeout();
        if (set != null) {
            return set;
        }
        Binder binder = Binder.get(environment);
        return Stream.of(
                        LEAST,
                        ofTasks(binder, "spring.task.execution.shutdown"),
                        ofTasks(binder, "spring.task.scheduling.shutdown"),
                        ofQuartz(binder))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration ofTasks(Binder binder, String shutdown) {
        return isSet(binder, shutdown + ".await-termination")
                ? duration(binder, shutdown + ".await-termination-period", Duration.ZERO)
                : Duration.ZERO;
    }

    /** Spring does not limit the wait for jobs of Quartz. */
    private static Duration ofQuartz(Binder binder) {
        return isSet(binder, "spring.quartz.wait-for-jobs-to-complete-on-shutdown")
                ? duration(binder, "spring.lifecycle.timeout-per-shutdown-phase", OF_PHASE)
                : Duration.ZERO;
    }

    private static boolean isSet(Binder binder, String property) {
        return binder.bind(property, Boolean.class).orElse(false);
    }

    private static Duration duration(Binder binder, String property, Duration otherwise) {
        return binder.bind(property, Duration.class).orElse(otherwise);
    }
}
