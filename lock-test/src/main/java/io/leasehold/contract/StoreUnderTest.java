package io.leasehold.contract;

import io.leasehold.spi.LockBackend;
import java.time.Duration;

/** What the contract's tests need of a store. */
public interface StoreUnderTest {

    /** A ttl that no test outlives. */
    Duration LONG = StoreClient.LONG;

    /** The store as a first process sees it. */
    StoreClient store();

    /** The store as a second process sees it. */
    StoreClient otherProcess();

    /** The store as the first process sees it, in another namespace. */
    StoreClient inNamespace(String other);

    /** A further backend, which the test closes. */
    LockBackend another();

    /** Removes everything from the store that can be removed at once: FLUSHALL, DELETE without WHERE, and the like. */
    void wipe();

    /** The shortest ttl that is no trouble for this store. */
    Duration shortTtl();

    /** How long after the end of a ttl the store may still call a lease valid. */
    Duration expirySlack();

    /** Whether a busy lock comes with a turn for those who wait. */
    boolean notifiesWaiters();

    /**
     * Whether a command that is sent many times at once is answered with the same fencing tokens each time. That takes a
     * single place that decides; one after the other, every store answers the same.
     */
    default boolean repeatsAtOnceAgree() {
        return true;
    }

    /** Lets time pass for the store. */
    void passTime(Duration time);

    /** How long a test waits for what has to happen soon, before it fails. */
    default Duration patience() {
        return Duration.ofSeconds(10);
    }

    /** Lets a lease of {@link #shortTtl()}, granted or renewed before, expire. */
    default void passShortTtl() {
        passTime(shortTtl().plus(expirySlack()));
    }
}
