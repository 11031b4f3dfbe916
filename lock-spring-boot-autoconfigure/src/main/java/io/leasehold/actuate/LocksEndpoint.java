package io.leasehold.actuate;

import io.leasehold.ForcedRelease;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.actuate.StoreProbe.StoreState;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * Shows the lockers of this process, its held locks and the state of the stores. Keys can be sensitive. They are masked
 * unless {@code management.endpoint.locks.show-values} allows them.
 */
@Endpoint(id = "locks")
public class LocksEndpoint {

    private static final int DEFAULT_LIMIT = 100;

    private final LockerRegistry lockers;

    private final StoreProbe probe;

    private final CircuitBreakerProbe breakers;

    private final Show showValues;

    /**
     * Creates the endpoint.
     *
     * @param lockers the lockers to show
     * @param probe queries their stores
     * @param breakers provides the state of their circuit breakers
     * @param showValues when to show keys
     */
    public LocksEndpoint(LockerRegistry lockers, StoreProbe probe, CircuitBreakerProbe breakers, Show showValues) {
        this.lockers = lockers;
        this.probe = probe;
        this.breakers = breakers;
        this.showValues = showValues;
    }

    /** Returns the lockers with their held locks, and the stores. */
    @ReadOperation
    public LocksDescriptor locks() {
        return describe(showValues.isShown(true));
    }

    /**
     * Reads the state of one lock from its store. A path is split at slashes and normalized on its way, so not every key
     * can be part of one. {@link #list} takes any key.
     *
     * @param path the locker's name, and the key of the lock as the list shows it, split at its slashes
     * @return the state, {@code null} if no locker has that name
     */
    @ReadOperation
    public @Nullable LockDescriptor lock(@Selector(match = Match.ALL_REMAINING) String... path) {
        return lockers.names().contains(locker(path))
                ? withClassesOfTheJdk(() -> describe(locker(path), key(path), showValues.isShown(true)))
                : null;
    }

    /**
     * Reads from the store which locks of a locker's namespace are held, or the state of one lock.
     *
     * @param locker the locker's name
     * @param limit the greatest number of locks, {@value #DEFAULT_LIMIT} if it is missing
     * @param key the key of the only lock to return, whether it is held or free; {@code null} for all that are held
     * @return the locks, {@code null} if no locker has that name
     */
    @ReadOperation
    public @Nullable ListingDescriptor list(@Selector String locker, @Nullable Integer limit, @Nullable String key) {
        return lockers.names().contains(locker)
                ? withClassesOfTheJdk(() -> list(locker, limit, key, showValues.isShown(true)))
                : null;
    }

    /** JMX sends a failure with its cause, whose classes its client may not have. Boot replaces only the failure. */
    private static <T> T withClassesOfTheJdk(Supplier<T> question) {
        try {
            return question.get();
        } catch (CompletionException ex) {
            throw new IllegalStateException(
                    ex.getCause() == null ? ex.getMessage() : ex.getCause().getMessage());
        } catch (IllegalArgumentException ex) {
            throw new IllegalArgumentException(ex.getMessage());
        }
    }

    // The locker's name is part of the remaining segments, since Boot passes it among them on WebFlux in any case.
    static String locker(String[] path) {
        return path.length == 0 ? "" : path[0];
    }

    static String key(String[] path) {
        return Arrays.stream(path).skip(1).collect(Collectors.joining("/"));
    }

    /** The names of all lockers, for the answer about one that does not exist. */
    Set<String> names() {
        return lockers.names();
    }

    LockDescriptor describe(String locker, String key, boolean showHolder) {
        return LockDescriptor.of(
                asListed(locker).describe(key).toCompletableFuture().join(), showHolder);
    }

    ListingDescriptor list(String locker, @Nullable Integer limit, @Nullable String key, boolean showValues) {
        if (key != null) {
            String listed = asListed(locker).visibleKey(key);
            return ListingDescriptor.ofOne(
                    showValues ? listed : LockDescriptor.MASK, describe(locker, key, showValues));
        }
        return ListingDescriptor.of(
                lockers.list(locker, limit == null ? DEFAULT_LIMIT : limit)
                        .toCompletableFuture()
                        .join(),
                showValues);
    }

    ForcedRelease forceRelease(String locker, String key, long fencingToken, String requestedBy) {
        return asListed(locker)
                .forceRelease(key, fencingToken, requestedBy)
                .toCompletableFuture()
                .join();
    }

    /** Takes keys in the form in which the endpoint shows them, to which no customizer is applied again. */
    private Locker asListed(String locker) {
        return lockers.get(locker).withoutKeyCustomizers();
    }

    LocksDescriptor describe(boolean showKeys) {
        Map<String, LockerDescriptor> described = new TreeMap<>();
        for (String name : lockers.names()) {
            LockerStatus status = statusUnlessClosed(name);
            if (status != null) {
                described.put(name, LockerDescriptor.of(status, breakers.state(name), showKeys));
            }
        }
        return new LocksDescriptor(described, probe.probe());
    }

    /** A locker that was created at run time may be closed after its name was read. */
    private @Nullable LockerStatus statusUnlessClosed(String name) {
        try {
            return lockers.status(name);
        } catch (IllegalArgumentException closed) {
            return null;
        }
    }

    /**
     * The endpoint's answer.
     *
     * @param lockers the lockers by name
     * @param stores the stores in use by name
     */
    public record LocksDescriptor(Map<String, LockerDescriptor> lockers, Map<String, StoreState> stores) {}
}
