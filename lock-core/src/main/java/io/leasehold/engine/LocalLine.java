package io.leasehold.engine;

import io.leasehold.spi.LockId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The callers of this process that want the same lock, first come first served. Only the one in front asks the store;
 * those behind it wait in memory. A line exists as long as somebody stands in it or holds its lock.
 *
 * <p>A holder that releases may pass its lease on to the next in line, with a fencing token of its own and without
 * asking the store. This is lock cohorting (Dice, Marathe, Shavit: "Lock Cohorting", PPoPP 2012): it is done only so
 * many times in a row and for so long, so that other processes get their turn.
 */
final class LocalLine {

    private final LeaseLocker locker;

    private final LockId id;

    private @Nullable PlaceInLine first;

    private @Nullable PlaceInLine last;

    private volatile @Nullable Lease lease;

    private LocalLine(LeaseLocker locker, LockId id, PlaceInLine front) {
        this.locker = locker;
        this.id = id;
        this.first = front;
        this.last = front;
    }

    /**
     * Joins the line of a lock, at its front if there is none yet.
     *
     * @return the line, or {@code null} if the caller does not wait and would have to
     */
    static @Nullable LocalLine join(LeaseLocker locker, LockId id, PlaceInLine place, boolean waits) {
        LocalLine fresh = new LocalLine(locker, id, place);
        while (true) {
            LocalLine line = locker.lines().putIfAbsent(id, fresh);
            if (line == null) {
                place.moveToFront();
                return fresh;
            }
            if (!waits) {
                return null;
            }
            if (line.append(place)) {
                return line;
            }
        }
    }

    LeaseLocker locker() {
        return locker;
    }

    LockId id() {
        return id;
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    /** Leaves from behind the front; false if the caller has come to the front or was given the lock meanwhile. */
    synchronized boolean leave(PlaceInLine place) {
        if (place.isInFront() || place.handed() != null) {
            return false;
        }
        unlink(place);
        return true;
    }

    /** The front of the line holds the lock from now on, and stands in it no longer. */
    synchronized void hold(Lease granted) {
        lease = granted;
        unlinkFront();
    }

    /** Passes a lease on to the next in line, if there is one and it may be. */
    boolean handOver(Lease held, long now) {
        PlaceInLine next;
        synchronized (this) {
            next = first;
            if (next == null || held.ended() || !held.mayBePassedOn(next.caller(), now)) {
                return false;
            }
            unlink(next);
            next.handTo(held.passOn(next.caller(), now));
        }
        next.signal();
        return true;
    }

    /** Ends a lease, once; whoever is told true goes on to {@link #advance()} when the store is done with it. */
    synchronized boolean end(Lease held) {
        if (held.ended()) {
            return false;
        }
        held.markEnded();
        return true;
    }

    /** The one in front is done: the next one comes to the front, or the line goes away. */
    void advance() {
        PlaceInLine next;
        synchronized (this) {
            lease = null;
            unlinkFront();
            next = first;
            if (next == null) {
                locker.lines().remove(id, this);
                return;
            }
            next.moveToFront();
        }
        next.signal();
    }

    /** Lets everybody in the line look around. */
    void wakeAll() {
        List<PlaceInLine> everybody = new ArrayList<>();
        synchronized (this) {
            for (PlaceInLine place = first; place != null; place = place.behind) {
                everybody.add(place);
            }
        }
        everybody.forEach(PlaceInLine::signal);
    }

    private synchronized boolean append(PlaceInLine place) {
        boolean gone = first == null && lease == null;
        if (gone) {
            return false;
        }
        place.before = last;
        if (last == null) {
            first = place;
        } else {
            last.behind = place;
        }
        last = place;
        return true;
    }

    private void unlinkFront() {
        if (first != null && first.isInFront()) {
            unlink(first);
        }
    }

    private void unlink(PlaceInLine place) {
        PlaceInLine before = place.before;
        PlaceInLine behind = place.behind;
        if (before == null) {
            first = behind;
        } else {
            before.behind = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.before = before;
        }
        place.before = null;
        place.behind = null;
    }
}
