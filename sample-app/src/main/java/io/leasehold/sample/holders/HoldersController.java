package io.leasehold.sample.holders;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.LockerRegistry;
import io.leasehold.sample.holders.Holders.LockerView;
import io.leasehold.sample.instances.ThisInstance;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows who holds each lock, and takes a lock from a holder that hangs. */
@RestController
class HoldersController {

    private final Holders holders;

    private final LockerRegistry lockers;

    private final ThisInstance thisInstance;

    HoldersController(Holders holders, LockerRegistry lockers, ThisInstance thisInstance) {
        this.holders = holders;
        this.lockers = lockers;
        this.thisInstance = thisInstance;
    }

    @GetMapping("/holders")
    List<LockerView> holders() {
        return holders.all();
    }

    /** The fencing token is that of the hold which the user saw, so that a later holder keeps its lock. */
    @DeleteMapping("/holders/{locker}")
    Answer end(
            @PathVariable("locker") String locker,
            @RequestParam(name = "key") String key,
            @RequestParam(name = "fencingToken") long fencingToken) {
        try {
            Outcome outcome = lockers.forceRelease(locker, key, fencingToken, "the page of " + thisInstance.name())
                    .toCompletableFuture()
                    .join()
                    .outcome();
            return new Answer(outcome.isDone(), outcome.explanation());
        } catch (CompletionException ex) {
            return new Answer(false, Holders.reason(ex));
        }
    }

    @ExceptionHandler(IllegalArgumentException.class)
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    Answer refused(IllegalArgumentException ex) {
        return new Answer(false, ex.getMessage());
    }

    /**
     * What became of the request to end a hold.
     *
     * @param done whether the lock was taken from its holder
     * @param sentence what was done, or why nothing was
     */
    record Answer(boolean done, @Nullable String sentence) {}
}
