package io.leasehold.autoconfigure.web;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Handler methods of both stacks that lock the same key. */
@RestController
class LockedOrders {

    static final String KEY = "alice@example.org";

    static final String HOLDER = "orders-1";

    static final String TEXT = "The resource is locked by another caller. Try again later.";

    private final Locker locker;

    LockedOrders(Locker locker) {
        this.locker = locker;
    }

    @GetMapping("/unlocked")
    public String inside() {
        locker.lock(KEY).close();
        return "done";
    }

    @DistributedLock("'" + KEY + "'")
    @GetMapping("/value")
    public String value(@Nullable LockHandle lock) {
        return held(lock);
    }

    @DistributedLock("'" + KEY + "'")
    @GetMapping("/mono")
    public Mono<String> mono(@Nullable LockHandle lock) {
        return Mono.fromSupplier(() -> held(lock));
    }

    @DistributedLock("'" + KEY + "'")
    @GetMapping("/stage")
    public CompletionStage<String> stage(@Nullable LockHandle lock) {
        return CompletableFuture.completedFuture(held(lock));
    }

    /** Spring itself has to fill this parameter, and cannot. */
    @GetMapping("/not-locked")
    public String notLocked(@Nullable LockHandle lock) {
        return held(lock);
    }

    private static String held(@Nullable LockHandle lock) {
        return lock == null ? "no handle" : "held " + lock.isHeld();
    }
}
