package io.leasehold.fencing;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value in memory that only the newest holder of a lock may read or change. Every access compares its fencing token
 * with the highest one so far, atomically with the access.
 *
 * <p>Reads also raise the highest token. Otherwise an older holder could still write between the read and the write of
 * a newer one, and that write would be lost.
 *
 * <p>This class is thread-safe. The value does not survive the process; for persistent data see {@link FencedGuard}.
 *
 * @param <T> the value's type
 */
public final class FencedRegister<T extends @Nullable Object> {

    private final String name;

    private T value;

    private long newest = Long.MIN_VALUE;

    /**
     * Creates a register that has seen no token yet.
     *
     * @param name the name of the resource, for the message of a refusal
     * @param initial the initial value
     */
    public FencedRegister(String name, T initial) {
        this.name = name;
        this.value = initial;
    }

    /**
     * Reads the value, and refuses lower tokens from now on.
     *
     * @param fencingToken the token of the reader's lock
     * @return the value
     * @throws StaleFencingTokenException if the register has already seen a greater token
     */
    public synchronized T read(long fencingToken) {
        admit(fencingToken);
        return value;
    }

    /**
     * Sets the value, and refuses lower tokens from now on.
     *
     * @param fencingToken the token of the writer's lock
     * @param newValue the new value
     * @throws StaleFencingTokenException if the register has already seen a greater token; the value stays as it is
     */
    public synchronized void write(long fencingToken, T newValue) {
        admit(fencingToken);
        value = newValue;
    }

    /**
     * Changes the value atomically, and refuses lower tokens from now on.
     *
     * @param fencingToken the token of the writer's lock
     * @param change computes the new value from the old one. It must be fast, because all other callers wait for it. If
     *     it throws, the value is unchanged
     * @return the new value
     * @throws StaleFencingTokenException if the register has already seen a greater token; the change is not called
     */
    public synchronized T update(long fencingToken, UnaryOperator<T> change) {
        admit(fencingToken);
        value = change.apply(value);
        return value;
    }

    /**
     * Returns the value without a fencing token. A holder may be about to change it.
     *
     * @return the current value
     */
    public synchronized T peek() {
        return value;
    }

    private void admit(long fencingToken) {
        if (fencingToken < newest) {
            throw new StaleFencingTokenException(name, fencingToken, newest);
        }
        newest = fencingToken;
    }
}
