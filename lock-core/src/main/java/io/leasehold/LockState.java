package io.leasehold;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lock according to its store, at the moment of the answer. It helps to find the holder of a lock.
 * Programs must not decide by it, because the lock may change hands before they act.
 */
public sealed interface LockState {

    /** The greatest length of a holder's name. Longer names are cut. */
    int LONGEST_NAME = 200;

    /**
     * Returns a name without control characters and line separators, cut to {@value #LONGEST_NAME} characters.
     *
     * @param name any text
     * @return the text for logs and messages
     */
    static String printable(String name) {
        StringBuilder printable = new StringBuilder(Math.min(name.length(), LONGEST_NAME));
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean escaped = Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || c == 0x2028
                    || c == 0x2029
                    || Character.isSurrogate(c);
            String shown = escaped ? String.format("\\u%04x", (int) c) : String.valueOf(c);
            if (printable.length() + shown.length() > LONGEST_NAME) {
                printable.setLength(Math.min(printable.length(), LONGEST_NAME - 3));
                return printable.append("...").toString();
            }
            printable.append(shown);
        }
        return printable.toString();
    }

    /**
     * The store cannot report the state.
     *
     * @param reason the reason, as a sentence without its full stop
     */
    record Unknown(String reason) implements LockState {

        @Override
        public String toString() {
            return "unknown: " + reason;
        }
    }

    /** No holder has the lock. */
    record Free() implements LockState {

        @Override
        public String toString() {
            return "free";
        }
    }

    /**
     * A holder has the lock.
     *
     * @param kind the kind of the holder
     * @param holder the name of the process that holds the lock, and the thread that asked for it, {@code null} if the
     *     store does not have it
     * @param since the time of the grant by the store's clock, or by the holder's clock if the store has none; accurate
     *     to about 50 ms; {@code null} if it is unknown
     * @param remaining how much longer the lock is held if it is not renewed, {@code null} if it never expires, or if
     *     the store does not know
     * @param fencingToken the greatest fencing token that the grant reserved. The present holder's token is at most
     *     this one, because a process may hand a lock over with further tokens of the same grant. Empty if the store
     *     does not have it, and for a {@linkplain Kind#FOREIGN foreign} entry that no forced release can end
     * @param waiting the number of waiting callers that the store knows, empty if it does not keep them
     */
    record Held(
            Kind kind,
            @Nullable String holder,
            @Nullable Instant since,
            @Nullable Duration remaining,
            OptionalLong fencingToken,
            OptionalInt waiting)
            implements LockState {

        /** Makes the name printable, because any client of the store may have written it. */
        public Held {
            holder = holder == null ? null : printable(holder);
        }

        /**
         * Returns the state as part of a sentence, such as
         * {@code held by 'orders@host-3:4711, thread 47' for another 900 ms}.
         */
        @Override
        public String toString() {
            String by = switch (kind) {
                case HOLDER -> "held by " + (holder == null ? "a process without a known name" : name());
                case RELEASED ->
                    "released" + (holder == null ? "" : " by " + name()) + ", and kept for its minimum hold time";
                case REVOKED -> "taken from " + (holder == null ? "its holder" : name()) + ", and valid";
                case FOREIGN -> "held by a client that does not use this library";
            };
            return by
                    + (since == null ? "" : " since " + since.truncatedTo(ChronoUnit.MILLIS))
                    + (remaining == null ? withoutExpiry() : " for another " + remaining.toMillis() + " ms");
        }

        private String withoutExpiry() {
            return kind == Kind.FOREIGN
                    ? ", without an expiry: it stays taken until "
                            + (fencingToken.isPresent() ? "a forced release ends it, or until " : "")
                            + "its entry is removed from the store"
                    : ", for a time that the store does not know";
        }

        private String name() {
            return "'" + holder + "'";
        }
    }

    /** The kind of a holder. */
    enum Kind {

        /** A lease of this library. */
        HOLDER,

        /** The lease of a holder that has released the lock. The lock stays taken for a minimum hold time. */
        RELEASED,

        /**
         * The lease of a holder that can no longer renew it, after a {@linkplain Locker#forceRelease forced release}.
         */
        REVOKED,

        /** An entry that this library did not write, under the name of the lock. */
        FOREIGN
    }
}
