package io.leasehold.aop.validation;

import io.leasehold.LockerRegistry;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Warns of scheduled jobs that are meant to be skipped, or to do something else, while another instance runs them, but
 * wait for that instance and then run again.
 */
final class ScheduledSkipCheck {

    private static final Logger LOGGER = LoggerFactory.getLogger(ScheduledSkipCheck.class);

    private ScheduledSkipCheck() {}

    static void warn(String beanName, Collection<LockSpec> specs, LockerRegistry lockers) {
        for (LockSpec spec : specs) {
            boolean skips = spec.onFailure() == OnFailure.SKIP;
            if ((skips || spec.fallback() != null) && isScheduled(spec.method())) {
                Duration own = spec.terms().waitTime();
                Duration waitTime =
                        own != null ? own : lockers.get(spec.locker()).waitTime();
                if (!waitTime.isZero()) {
                    LOGGER.warn(
                            "{} (bean '{}') is @Scheduled with {}, but waits {} for its lock ({}): if"
                                    + " another instance ends the job within that time, this one runs it again. Annotate"
                                    + " the method with @SingleInstance, or set waitTime = \"0\" and a minHoldTime",
                            MethodDescriptions.describe(spec.method()),
                            beanName,
                            skips ? "onFailure = SKIP" : "a fallbackMethod",
                            waitTime,
                            own != null ? "waitTime" : "the wait time of locker '" + spec.locker() + "'");
                }
            }
        }
    }

    private static boolean isScheduled(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                .isPresent("org.springframework.scheduling.annotation.Scheduled");
    }
}
