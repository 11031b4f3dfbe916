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
 * <p>The instance that comes first runs the job; the others skip it without waiting. The lock stays taken for
 * {@link #minHoldTime()}, so that an instance whose clock is behind, or whose scheduler was busy, does not run a short job
 * again.
 *
 * <p>The method must not return a primitive, because a run that is skipped returns nothing. This is a
 * {@link DistributedLock} with {@code waitTime = "0"} and {@code onFailure = SKIP}; its other rules hold here too.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@DistributedLock(waitTime = "0", onFailure = OnFailure.SKIP)
public @interface SingleInstance {

    /**
     * Names the job, as an expression: a literal in quotes of its own, such as {@code "'nightly-report'"}.
     *
     * @return the key expression
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "key")
    String key();

    /**
     * The shortest time that no other instance runs the job, such as {@code "30s"}, or a <code>${...}</code> placeholder.
     * Longer than the clocks of the instances differ and their schedulers are late; shorter than the period of the
     * schedule.
     *
     * @return the minimum hold time
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "minHoldTime")
    String minHoldTime();

    /**
     * The longest time that a job which hangs keeps the others from running it. Empty: as the locker is configured.
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
     * What to do when the lock is lost while the job runs.
     *
     * @return what to do when the lock is lost
     */
    @AliasFor(annotation = DistributedLock.class, attribute = "onLost")
    OnLost onLost() default OnLost.THROW;
}
