package io.leasehold.aop;

import io.leasehold.LockLostException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a call ends: what the body threw wins, a loss is suppressed under it. */
final class Outcomes {

    private Outcomes() {}

    /** The failure of a call whose body ended with a failure or without, and whose lock was lost or was not. */
    static @Nullable Throwable failure(@Nullable Throwable ofBody, Optional<RuntimeException> loss) {
        if (ofBody == null) {
            return loss.orElse(null);
        }
        loss.filter(one -> !isSameLoss(ofBody, one)).ifPresent(ofBody::addSuppressed);
        return ofBody;
    }

    private static boolean isSameLoss(Throwable failure, RuntimeException loss) {
        return failure instanceof LockLostException known
                && loss instanceof LockLostException lost
                && known.locker().equals(lost.locker())
                && known.key().equals(lost.key());
    }
}
