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
 * <p>The lock is taken before the body, and before a transaction that the method begins; it is released after both. A
 * caller that is inside a transaction of its own keeps the lock until that transaction has ended. If the lock cannot be
 * taken, the body does not run: see {@link #onFailure()} and {@link #fallbackMethod()}. If it is lost while the body
 * runs, see {@link #onLost()}: no lease can rule that out, and this library says so instead of hiding it.
 *
 * <p>A nested call for the same locker and key joins the lock that its thread already works under; it sends nothing to
 * the store, and the lock ends with the outermost call.
 *
 * <p>A parameter of type {@code io.leasehold.LockHandle} for which the caller passes {@code null} receives the handle
 * of the lock, for its fencing token or for a look at whether it is still held. {@code io.leasehold.LockContext}
 * answers the same without a parameter. While the body runs, the fencing token is in the logging context as
 * {@code lock.fencingToken}.
 *
 * <p>Where a method returns a {@code CompletionStage}, a {@code CompletableFuture}, a {@code Mono} or a {@code Flux}, or
 * is a suspending function of Kotlin's, the lock covers the asynchronous work: it is taken with the call or with each
 * subscription, without blocking a thread, and released on completion, error or cancellation. The handle is in the
 * Reactor context by its type; nested calls join by that context, or by the thread on which they are made. Such a
 * method does not take part in a transaction of its caller's thread. Results of other kinds that may outlive the
 * method are refused at start-up. On an {@code @Async} method the executor's thread takes the lock.
 *
 * <p>The annotation is found on the method, on the method that it overrides or implements, and on annotations of your
 * own that carry it, with {@link AliasFor} for their attributes. On a type it holds for every public method of that
 * type, except those of {@link Object} and those that carry the annotation themselves: such a method's own attributes
 * replace the type's altogether.
 *
 * <p>A method that calls another one of its own object does not pass the proxy, so the callee's lock is not taken
 * (weaving with AspectJ at load time covers that, too). Private, static and final methods cannot be intercepted by a
 * proxy at all; they are refused at start-up, as is everything else here that cannot work.
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
     * What to lock, as an expression in the Spring Expression Language, as in {@code @Cacheable}. Required.
     *
     * <ul>
     *   <li>{@code "#user.id"}: an argument by its name, and its properties. The class has to be compiled with
     *       {@code -parameters}; {@code #p0} and {@code #a0} work without.
     *   <li>{@code "'nightly-report'"}: a literal, in quotes of its own.
     *   <li>{@code "'order-' + #id"}: text put together. Choose a separator that the parts cannot contain.
     *   <li>{@code "#root.methodName"}, {@code "#root.targetClass"}, {@code "#root.target"}, {@code "#root.args[0]"}: the
     *       method's name, the class and the object that it is called on, its arguments.
     * </ul>
     *
     * <p>Each part has to have a stable form: text, a number, a boolean, a character, an enum constant, a UUID, a
     * {@code java.time} value, a URI, a currency, a locale, a time
     * zone, a class, or a value of a type for which there is a {@link LockKeyType}. {@code null}, a blank result and every other type end the call with an
     * exception that names the method and the expression; the body does not run.
     *
     * <p>An array or a collection means several keys, all of them together: they are de-duplicated and sorted, so that
     * callers cannot block one another for ever, and taken one after the other within one wait time. If one of them is
     * not to be had, none is kept.
     *
     * <p>The expression only reads arguments: it calls no methods or constructors and reaches no types or beans. It is
     * evaluated once per call, before the body.
     *
     * @return the key expression
     */
    @AliasFor("value")
    String key() default "";

    /**
     * The locker that grants the lock, by the name it has in the configuration ({@code lock.lockers.<name>}). Lockers
     * have namespaces of their own: the same key in two lockers is two locks. May hold <code>${...}</code>
     * placeholders.
     *
     * @return the locker's name
     */
    String locker() default "default";

    /**
     * The longest to wait for the lock: {@code "5s"}, {@code "PT5S"}, {@code "1m30s"}, or a
     * <code>${...}</code> placeholder for one of them. {@code "0"} tries once; any other number needs its unit. Empty: as
     * the locker is configured.
     *
     * @return the wait time
     */
    String waitTime() default "";

    /**
     * How long the store keeps the lock without hearing of its holder, written like {@link #waitTime()}. It does not
     * limit the body: the lock is renewed every third of it, unless {@link #autoRenew()} is {@code "false"}. Empty: as
     * the locker is configured.
     *
     * @return the time to live of the lock in the store
     */
    String ttl() default "";

    /**
     * Whether the lock is renewed while the body runs: {@code "true"}, {@code "false"} or a <code>${...}</code>
     * placeholder. Without renewal a body that takes longer than the ttl loses its lock. Empty: as the locker is
     * configured. (A string, because an attribute of type boolean could not be left to the locker.)
     *
     * @return whether to renew
     */
    String autoRenew() default "";

    /**
     * The longest the lock is held, however often it is renewed, written like {@link #waitTime()}. A body that hangs
     * loses its lock after this time. Empty: as the locker is configured.
     *
     * @return the maximum hold time
     */
    String maxHoldTime() default "";

    /**
     * The shortest the lock stays taken, even if the body returns earlier, written like {@link #waitTime()}. For
     * scheduled jobs that are over before another process's clock starts them (ShedLock's {@code lockAtLeastFor}).
     * Empty: as the locker is configured.
     *
     * @return the minimum hold time
     */
    String minHoldTime() default "";

    /**
     * What a call does when others held the lock for the whole wait time. It never runs the body.
     *
     * @return what to do when the lock is not acquired
     */
    OnFailure onFailure() default OnFailure.THROW;

    /**
     * A method of the same class to call instead of the body when the lock was not acquired, and instead of what
     * {@link #onFailure()} says. It has the parameters of the annotated method and a return type that fits, and may be
     * private. It may take one more parameter at the end: with {@code LockNotAcquiredException}, or without one, it is
     * called when others held the lock; with {@code LockBackendException} when the store did not answer; with
     * {@code LockException} for both. Looked up at start-up.
     *
     * @return the name of the fallback method, empty for none
     */
    String fallbackMethod() default "";

    /**
     * What the call does when the lock is lost while the body runs. A nested call that joined the lock of an outer one
     * is ended by the outer one's choice.
     *
     * @return what to do when the lock is lost
     */
    OnLost onLost() default OnLost.THROW;
}
