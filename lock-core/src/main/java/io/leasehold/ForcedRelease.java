package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * The result of {@link Locker#forceRelease}.
 *
 * @param locker the locker's name
 * @param key the key of the lock
 * @param fencingToken the fencing token that named the holder
 * @param outcome what was done
 * @param holder the name of the process that held the lock, and its thread, {@code null} if it is unknown
 * @param requestedBy the person or program that asked for it
 */
public record ForcedRelease(
        String locker,
        String key,
        long fencingToken,
        Outcome outcome,
        @Nullable String holder,
        String requestedBy) {

    /** What a forced release has done. */
    public enum Outcome {

        /**
         * The holder can no longer renew its lock. The lock is free when its remaining time has passed, or when the
         * holder releases it.
         */
        REVOKED("the holder can no longer renew the lock, which is free when its remaining time has passed"),

        /** The lock was removed. Its holder had released it, and it was only kept for its minimum hold time. */
        REMOVED("the lock was removed; its holder had released it before"),

        /** Nothing: no holder has the lock. */
        FREE("no holder has the lock"),

        /** Nothing: the fencing token is not that of the present holder. */
        OTHER_HOLDER("the fencing token is not that of the present holder; ask for the state of the lock again"),

        /** Nothing: a client that does not use this library holds the lock. */
        FOREIGN("a client that does not use this library holds the lock; end it with that client's means"),

        /** Nothing: the store cannot take a lock from its holder safely. */
        UNSUPPORTED("the store cannot take a lock from its holder safely; end the process that holds it");

        private final String explanation;

        Outcome(String explanation) {
            this.explanation = explanation;
        }

        /**
         * Returns a sentence without its full stop, for logs and messages.
         *
         * @return what was done, and the next step if there is one
         */
        public String explanation() {
            return explanation;
        }

        /**
         * Returns whether the lock was taken from its holder, or removed.
         *
         * @return true if anything was changed in the store
         */
        public boolean isDone() {
            return this == REVOKED || this == REMOVED;
        }
    }
}
