package io.leasehold.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a scheduled job on one instance of the application at a time, and once per date of its schedule.
 *
 * <pre class="code">
 * &#64;Scheduled(cron = "0 0 3 * * *")
 * &#64;SingleInstance(key = "'nightly-report'", minHoldTime = "1m")
 * void report() { ... }
 * </pre>
 *
 * <p>The first instance runs the job; the others skip it without waiting. The lock stays taken for
 * {@link #minHoldTime()}, so that an instance whose clock is behind, or whose scheduler was busy, does not run a short
 * job again.
 *
 * <p>The method must not return a primitive, because a skipped run has no result. This is a
 * {@link DistributedLock} with {@code waitTime = "0"} and {@code onFailure = SKIP}; its other rules apply as well.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DistributedLock(waitTime = "0", onFailure = OnFailure.SKIP)
public @interface SingleInstance {

    /**
     * The name of the job, as an expression: a literal in quotes of its own, such as {@code "'nightly-report'"}.
     *
     * @return the key expression
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "key")
    String key();

    /**
     * The shortest time during which no other instance runs the job, such as {@code "30s"}, or a <code>${...}</code>
     * placeholder.
     * Choose it longer than the differences between the instances' clocks and the delays of their schedulers, and
     * shorter than the period of the schedule.
     *
     * @return the minimum hold time
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
    String minHoldTime();

    /**
     * The longest time for which a job that hangs prevents the other instances from running it. If empty, the locker's
     * setting applies.
     *
     * @return the maximum hold time
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "maxHoldTime")
    String maxHoldTime() default "";

    /**
     * The locker that grants the lock.
     *
     * @return the locker's name
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "locker")
    String locker() default "default";

    /**
     * The reaction if the lock is lost while the job runs.
     *
     * @return what to do when the lock is lost
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "onLost")
    OnLost onLost() default OnLost.THROW;
}
