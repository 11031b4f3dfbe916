package io.leasehold.actuate;

import io.leasehold.LockListing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The held locks of a locker's namespace according to their store, or the only lock that was asked for.
 *
 * @param locks the locks
 * @param complete whether there are no others: no other lock of the namespace is held, or only this one was asked for
 * @param reason why the listing is not complete, otherwise {@code null}
 */
public record ListingDescriptor(
        List<ListedLockDescriptor> locks,
        boolean complete,
        @Nullable String reason) {

    static ListingDescriptor of(LockListing listing, boolean showValues) {
        return new ListingDescriptor(
                listing.locks().stream()
                        .map(lock -> new ListedLockDescriptor(
                                showValues ? lock.key() : LockDescriptor.MASK,
                                LockDescriptor.of(lock.state(), showValues)))
                        .toList(),
                listing.incomplete() == null,
                listing.incomplete());
    }

    static ListingDescriptor ofOne(String key, LockDescriptor lock) {
        return new ListingDescriptor(List.of(new ListedLockDescriptor(key, lock)), true, null);
    }

    static ListingDescriptor failed(@Nullable String reason) {
        return new ListingDescriptor(List.of(), false, reason);
    }

    /**
     * One lock.
     *
     * @param key the key, or a mask
     * @param lock the holder
     */
    public record ListedLockDescriptor(String key, LockDescriptor lock) {}
}
