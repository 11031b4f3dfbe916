package io.leasehold.contract;

import io.leasehold.spi.LockBackend;
import java.time.Duration;
import java.util.Set;

/** The operations and properties of a store that the contract's tests need. */
public interface StoreUnderTest {

    /** A ttl that is longer than any test. */
    Duration LONG = StoreClient.LONG;

    /** The store as accessed by the first process. */
    StoreClient store();

    /** The store as accessed by the second process. */
    StoreClient otherProcess();

    /** The store as accessed by the first process in another namespace. */
    StoreClient inNamespace(String other);

    /** Creates another backend, which the test closes. */
    LockBackend another();

    /** Removes all data from the store, for example with FLUSHALL or a DELETE without WHERE. */
    void wipe();

    /** The shortest ttl that is reliable with this store. */
    Duration shortTtl();

    /** How long after the end of its ttl the store may still consider a lease valid. */
    Duration expirySlack();

    /** What the store can do besides the operations that every store has. */
    Set<Capability> capabilities();

    /** Whether the store has a capability. Without it, the store must do what its description says. */
    default boolean supports(Capability capability) {
        return capabilities().contains(capability);
    }

    /**
     * Whether concurrent copies of one command get the same fencing tokens. This requires a single node that decides.
     * For sequential copies, every store returns the same fencing tokens.
     */
    default boolean concurrentRepeatsAgree() {
        return true;
    }

    /**
     * The longest time for which a lease may last after it was revoked.
     *
     * @param remaining its remaining time when it was revoked
     * @param ttl its ttl
     */
    default Duration longestAfterRevocation(Duration remaining, Duration ttl) {
        return remaining;
    }

    /** Advances the store's time, or waits. */
    void passTime(Duration time);

    /** The maximum time that a test waits for an expected event before it fails. */
    default Duration awaitTimeout() {
        return Duration.ofSeconds(20);
    }

    /** Lets a lease of {@link #shortTtl()}, which was granted or renewed before, expire. */
    default void passShortTtl() {
        passTime(shortTtl().plus(expirySlack()));
    }

    /** What some stores can do, and others cannot. */
    enum Capability {

        /** Sends wake-ups to the waiters of a busy lock. Without it, no answer has a wake-up. */
        WAKEUPS,

        /** Reports the holders of locks. Without it, the state of every lock is unknown. */
        HOLDERS,

        /** Lists the locks of a namespace. Without it, every listing is empty and says so. */
        LISTING,

        /** Takes a lock from its holder. Without it, a request to do so changes nothing. */
        REVOCATION,

        /** Sends hints of revocations by other processes to a process that listens for wake-ups. */
        REVOCATION_HINTS
    }
}
