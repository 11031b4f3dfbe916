package io.leasehold.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A caller's place in a {@link LocalLine}. Its links belong to the line, which changes them under its monitor. */
final class PlaceInLine {

    private final Acquisition caller;

    private final Runnable driver;

    @Nullable
    PlaceInLine before;

    @Nullable
    PlaceInLine behind;

    private @Nullable LocalLine line;

    private volatile boolean inFront;

    private volatile @Nullable HeldLock handed;

    PlaceInLine(Acquisition caller, Runnable driver) {
        this.caller = caller;
        this.driver = driver;
    }

    /** Joins the line; false if the caller does not wait and would have to. */
    boolean join(boolean waits) {
        line = LocalLine.join(caller.locker(), caller.id(), this, waits);
        return line != null;
    }

    /** Leaves from behind the front; false if the caller has come to the front or was given the lock meanwhile. */
    boolean leave() {
        return line().leave(this);
    }

    /** Leaves from wherever it is; gives back a lock that was handed over meanwhile. */
    void giveUp() {
        if (line().leave(this)) {
            return;
        }
        HeldLock given = handed;
        if (given == null) {
            line().advance();
        } else {
            given.releaseAsync();
        }
    }

    LocalLine line() {
        return Objects.requireNonNull(line);
    }

    Acquisition caller() {
        return caller;
    }

    boolean isInFront() {
        return inFront;
    }

    void moveToFront() {
        inFront = true;
    }

    @Nullable
    HeldLock handed() {
        return handed;
    }

    void handTo(HeldLock lock) {
        handed = lock;
    }

    void signal() {
        driver.run();
    }
}
