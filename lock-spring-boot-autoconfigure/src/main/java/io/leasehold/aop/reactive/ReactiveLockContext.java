package io.leasehold.aop.reactive;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.OnLost;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.invocation.LockedInvocation.FencingTokenMdc;
import io.leasehold.aop.spec.LockSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The locks of a publisher, which its Reactor context contains.
 *
 * @param all all locks, the innermost first
 * @param vetoing the locks whose loss must prevent a commit
 * @param tolerated the locks whose loss is only reported
 * @param pending the work after which the locks are released, for each call that has acquired some
 */
record ReactiveLockContext(
        List<LockHandle> all, List<LockHandle> vetoing, List<LockHandle> tolerated, List<PendingWork> pending) {

    private static final String KEY = ReactiveLockContext.class.getName();

    /** The name under which context propagation restores the locks for operators; also that of its accessor. */
    private static final String CARRIED = LockContext.class.getName();

    private static final ReactiveLockContext NONE = new ReactiveLockContext(List.of(), List.of(), List.of(), List.of());

    static ReactiveLockContext of(ContextView context) {
        return context.<ReactiveLockContext>getOrEmpty(KEY).orElse(NONE);
    }

    /**
     * The context of what runs under some locks and all that were there before.
     *
     * @param ofThread the locks of the subscribing thread whose loss must prevent a commit
     * @param pending the work that the release of the locks awaits, if it awaits any
     */
    static Context under(
            LockSpec spec, AcquiredLocks locks, List<LockHandle> ofThread, List<PendingWork> pending, Context context) {
        ReactiveLockContext outer = of(context);
        List<LockHandle> vetoing = new ArrayList<>(ofThread);
        vetoing.retainAll(locks.joined());
        vetoing.removeAll(outer.all());
        if (spec.onLost() != OnLost.EVENT) {
            vetoing.addAll(locks.own());
        }
        List<LockHandle> innermostFirst = new ArrayList<>(locks.all());
        Collections.reverse(innermostFirst);
        ReactiveLockContext inner = new ReactiveLockContext(
                joined(innermostFirst, outer.all()),
                joined(vetoing, outer.vetoing()),
                joined(LockLosses.toleratedInBody(spec, locks), outer.tolerated()),
                joined(pending, outer.pending()));
        return context.put(KEY, inner)
                .put(LockHandle.class, innermostFirst.get(0))
                .put(CARRIED, LockContext.Snapshot.of(inner.all()))
                .put(FencingTokenMdc.NAME, FencingTokenMdc.text(locks.all()));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<>(first);
        joined.addAll(second);
        return List.copyOf(joined);
    }
}
