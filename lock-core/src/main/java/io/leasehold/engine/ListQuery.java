package io.leasehold.engine;

import io.leasehold.LockListing;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * One question to the store about the locks of a namespace. It takes several steps of the store, so it may take long.
 */
final class ListQuery {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final LocalQueues queues;

    private final int limit;

    ListQuery(LocalQueues queues, int limit) {
        this.queues = queues;
        this.limit = limit;
    }

    CompletableFuture<LockListing> send() {
        LockerState locker = queues.locker();
        return new StoreQuery<LockListing>(locker, "the listing of the locks", "", TIMEOUT.toNanos())
                .send(() -> locker.backend().list(locker.settings().namespace(), limit), this::withPresentHolders);
    }

    private LockListing withPresentHolders(LockListing listing) {
        Map<String, Lease> own = new HashMap<>();
        queues.held().forEach(lease -> own.put(lease.holder().key(), lease));
        return new LockListing(
                listing.locks().stream()
                        .map(lock -> new LockListing.Entry(
                                lock.key(),
                                StoreQuery.withPresentHolder(queues.locker(), lock.state(), own.get(lock.key()))))
                        .toList(),
                listing.incomplete());
    }
}
