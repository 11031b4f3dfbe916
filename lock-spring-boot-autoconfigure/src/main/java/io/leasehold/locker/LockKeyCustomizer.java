package io.leasehold.locker;

/**
 * Changes the key of each request before it is locked, for example by the prefix of a tenant or an environment. Define
 * it as a bean. It applies to annotated methods and to all lockers that the auto-configuration creates, so that both
 * lock the same key. Several are applied in their order ({@link org.springframework.core.annotation.Order @Order}).
 *
 * <p>The changed key is the one in the store, in handles, exceptions, events and log lines. With {@code lock.mask-keys}
 * it is masked afterwards.
 *
 * <p>A customizer is called on the thread that calls the locker or the annotated method, for an asynchronous result
 * when the method is called. It may be called several times for one request, and must then return the same key.
 */
@FunctionalInterface
public interface LockKeyCustomizer {

    /**
     * Changes a key. An exception fails the call, and nothing is locked.
     *
     * @param locker the name of the locker
     * @param key the key of the request, or the result of the customizer before this one
     * @return the key to lock; the call fails with a {@link LockCustomizerException} if it is {@code null} or blank
     */
    String customize(String locker, String key);
}
