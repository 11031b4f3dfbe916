package io.leasehold.sample.holders;

import io.leasehold.LockHandle;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.LockerStatus.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Asks the store of each locker which locks are held, by this instance and by all others. */
@Service
class Holders {

    private static final int LIMIT = 100;

    private final LockerRegistry lockers;

    Holders(LockerRegistry lockers) {
        this.lockers = lockers;
    }

    List<LockerView> all() {
        return lockers.names().stream().map(this::of).toList();
    }

    private LockerView of(String locker) {
        try {
            LockListing listing =
                    lockers.list(locker, LIMIT).toCompletableFuture().join();
            boolean cannotTell = listing.incomplete() != null && listing.locks().isEmpty();
            return view(locker, cannotTell ? known(locker) : listing);
        } catch (CompletionException ex) {
            return new LockerView(locker, List.of(), reason(ex));
        }
    }

    /** Each store can be asked for single locks, even if it cannot list them. */
    private LockListing known(String locker) {
        LockerStatus status = lockers.status(locker);
        Set<String> keys = Stream.concat(
                        status.held().stream().map(LockHandle::key),
                        status.waiters().stream().map(Waiter::key))
                .collect(Collectors.toSet());
        List<LockListing.Entry> held = new ArrayList<>();
        for (String key : keys) {
            if (lockers.describe(locker, key).toCompletableFuture().join() instanceof LockState.Held state) {
                held.add(new LockListing.Entry(key, state));
            }
        }
        return new LockListing(held, "only locks that this instance holds or waits for; the store does not list them");
    }

    private LockerView view(String locker, LockListing listing) {
        Set<String> heldHere =
                lockers.status(locker).held().stream().map(LockHandle::key).collect(Collectors.toSet());
        List<HeldLock> locks = listing.locks().stream()
                .map(lock -> HeldLock.of(lock, heldHere.contains(lock.key())))
                .toList();
        return new LockerView(locker, locks, listing.incomplete());
    }

    /** The sentence of the failure of a store. */
    static @Nullable String reason(CompletionException ex) {
        return ex.getCause() == null ? ex.getMessage() : ex.getCause().getMessage();
    }

    /**
     * The held locks of a locker.
     *
     * @param locker its name
     * @param locks the locks
     * @param incomplete why there may be more, {@code null} if there are none
     */
    record LockerView(
            String locker, List<HeldLock> locks, @Nullable String incomplete) {}
}
