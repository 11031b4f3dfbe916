package io.leasehold.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method under a distributed lock: for one locker and key, the body runs on one thread of one process at a time.
 *
 * <pre class="code">
 * &#64;DistributedLock(locker = "billing", key = "#user.id")
 * public Receipt charge(User user) { ... }
 * </pre>
 *
 * <p>The lock is acquired before the body, and before a transaction that the method begins; it is released after both.
 * If the caller has a transaction, the lock is kept until that transaction has ended; this requires a transaction with
 * synchronization, which the managers of messaging systems turn off by default. If the lock cannot be acquired, the
 * body does not run: see {@link #onFailure()} and {@link #fallbackMethod()}. No lease lock can rule out a loss while
 * the body runs: see {@link #onLost()}.
 *
 * <p>A nested call for the same locker and key joins the lock that its thread already holds. It sends nothing to the
 * store, and the lock ends with the outermost call.
 *
 * <p>A parameter of type {@code io.leasehold.LockHandle} for which the caller passes {@code null} receives the handle
 * of the lock, which has the fencing token and shows whether the lock is still held. If the key is a list, such a call
 * fails. {@code io.leasehold.LockContext} returns the handles without a parameter. While the body runs, the fencing
 * token is in the logging context as {@code lock.fencingToken}.
 *
 * <p>If a method returns a {@code CompletionStage}, a {@code CompletableFuture}, a {@code Mono} or a {@code Flux}, or
 * is a suspending function of Kotlin, the lock covers the asynchronous work. It is acquired with the call or with each
 * subscription, without blocking a thread, and released on completion, error or cancellation. The handle is in the
 * Reactor context under its type. Nested calls join by that context, or by the thread on which they are made. Such a
 * method does not participate in a transaction of its caller's thread. Other results that may outlive the method, or
 * that are read only afterwards, such as an {@code Iterator}, a {@code Supplier} or an {@code InputStream}, are rejected
 * at start-up, or by the call if the declared type does not show them. On an {@code @Async} method the executor's thread
 * acquires the lock.
 *
 * <p>The annotation is found on the method, on the method that it overrides or implements, and on composed annotations,
 * with {@link AliasFor} for their attributes. On a type it applies to every public method that the type or one of its
 * subtypes declares, except those that are annotated themselves. The attributes of an annotated method replace all
 * attributes of the type. Methods that are not public are not locked, although they are transactional with Spring's
 * annotation. Methods that an annotated type inherits from a type without the annotation are not locked, as they are not
 * transactional. The start logs a warning that names both. Inherited methods are locked if the bean is only a proxy of
 * an annotated interface, such as a Spring Data repository.
 *
 * <p>A method that calls another method of its own object bypasses the proxy, so the callee's lock is not acquired.
 * Load-time weaving with AspectJ covers such calls as well. A proxy cannot intercept private, static and final methods,
 * and methods that the container calls, such as those of {@code initMethod}. These and all other declarations that
 * cannot work are rejected at start-up.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Reflective
public @interface DistributedLock {

    /**
     * Alias for {@link #key()}.
     *
     * @return the key expression
     */
    @AliasFor("key")
    String value() default "";

    /**
     * The key to lock, as an expression in the Spring Expression Language, as in {@code @Cacheable}. Required.
     *
     * <ul>
     *   <li>{@code "#user.id"}: an argument by its name, and its properties. The class has to be compiled with
     *       {@code -parameters}; {@code #p0} and {@code #a0} work without it.
     *   <li>{@code "'nightly-report'"}: a literal, in quotes of its own.
     *   <li>{@code "'order-' + #id"}: concatenated text. Choose a separator that the parts cannot contain.
     * <li>{@code "#root.methodName"}, {@code "#root.targetClass"}, {@code "#root.target"}, {@code "#root.args[0]"}: the
     * method's name, the class and the object that it is called on, its arguments.
     * </ul>
     *
     * <p>Each part has to have a stable form: text, a number, a boolean, a character, an enum constant, a UUID, a
     * {@code java.time} value, a URI, a currency, a locale, a time zone, a class, or a value of a type for which there
     * is a {@link LockKeyType}. {@code null}, a blank result and every other type fail the call with an exception that
     * names the method and the expression; the body does not run.
     *
     * <p>An array or a collection locks several keys together. The keys are de-duplicated and sorted, so that callers
     * cannot deadlock, and acquired one after the other within one wait time. If one of them cannot be acquired, none
     * is kept.
     *
     * <p>The expression can only read arguments. It cannot call methods or constructors, or access types or beans. It
     * is evaluated once per call, before the body.
     *
     * @return the key expression
     */
    @AliasFor("value")
    String key() default "";

    /**
     * The locker that grants the lock, by its name in the configuration ({@code lock.lockers.<name>}). By default
     * each locker has a namespace of its own: the same key in two lockers is two locks. May contain <code>${...}</code> placeholders.
     *
     * @return the locker's name
     */
    String locker() default "default";

    /**
     * The longest wait for the lock: {@code "5s"}, {@code "PT5S"}, {@code "1m30s"}, or a <code>${...}</code>
     * placeholder for one of them. {@code "0"} tries once; any other number needs a unit. If empty, the locker's
     * setting applies. A placeholder with an empty value fails the start, here and in the other attributes.
     *
     * @return the wait time
     */
    String waitTime() default "";

    /**
     * How long the store keeps the lock if it is not renewed, written like {@link #waitTime()}. It does not limit the
     * body: the lock is renewed every third of it, unless {@link #autoRenew()} is {@code "false"}. If empty, the
     * locker's setting applies.
     *
     * @return the time to live of the lock in the store
     */
    String ttl() default "";

    /**
     * Whether the lock is renewed while the body runs: {@code "true"}, {@code "false"} or a <code>${...}</code>
     * placeholder. Without renewal, a body that takes longer than the ttl loses its lock. If empty, the locker's
     * setting applies. The attribute is a string, because a boolean attribute could not be left empty.
     *
     * @return whether to renew
     */
    String autoRenew() default "";

    /**
     * The longest time that the lock is held, even if it is renewed, written like {@link #waitTime()}. A body that
     * hangs loses its lock after this time. If empty, the locker's setting applies.
     *
     * @return the maximum hold time
     */
    String maxHoldTime() default "";

    /**
     * The shortest time that the lock stays taken, even if the body returns earlier, written like {@link #waitTime()}.
     * Use it for scheduled jobs that end before the clock of another process starts them (ShedLock's
     * {@code lockAtLeastFor}). If the body does not run, the lock is free immediately. If empty, the locker's setting
     * applies.
     *
     * @return the minimum hold time
     */
    String minHoldTime() default "";

    /**
     * The reaction if others held the lock for the whole wait time. The body never runs.
     *
     * @return what to do when the lock is not acquired
     */
    OnFailure onFailure() default OnFailure.THROW;

    /**
     * A method of the same class that is called instead of the body if the lock was not acquired. It replaces
     * {@link #onFailure()}. It has the parameters of the annotated method and a compatible return type, and may be
     * private. It may have one more parameter at the end. With a {@code LockNotAcquiredException}, or without this
     * parameter, it is called if others held the lock; with a {@code LockBackendException} if the store did not answer;
     * with a {@code LockException} in both cases. It is looked up at start-up.
     *
     * <p>It is called on the object itself and not through its proxy, so that no advice, such as a transaction, applies
     * to it. Where proxies intercept the calls, a fallback method with a lock of its own fails the start.
     *
     * @return the name of the fallback method, empty for none
     */
    String fallbackMethod() default "";

    /**
     * The reaction if the lock is lost while the body runs. For a nested call that joined the lock of an outer call,
     * the setting of the outer call applies.
     *
     * @return what to do when the lock is lost
     */
    OnLost onLost() default OnLost.THROW;
}
