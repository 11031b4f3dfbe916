package io.leasehold.support;

import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.LongConsumer;

/** The listeners of one backend for hints that a lease was revoked, see {@code LockBackend.onRevocation}. */
public final class RevocationListeners {

    private final Set<LongConsumer> listeners = new CopyOnWriteArraySet<>();

    public void add(LongConsumer listener) {
        listeners.add(listener);
    }

    /**
     * Passes a hint on. A text that is no hint is ignored, because every client of the store may send one.
     *
     * @param tokenEnd the last 16 hexadecimal digits of the token. They do not suffice to release its lease
     */
    public void hint(String tokenEnd) {
        long low;
        try {
            low = HexFormat.fromHexDigitsToLong(tokenEnd);
        } catch (IllegalArgumentException ex) {
            return;
        }
        listeners.forEach(listener -> listener.accept(low));
    }
}
