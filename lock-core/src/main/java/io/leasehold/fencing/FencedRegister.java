package io.leasehold.fencing;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A value in memory that only the newest holder of a lock may read or change: the fencing token of every access is
 * compared with the highest one so far, in one step with the access.
 *
 * <p>Reading counts too. Otherwise an older holder could still write between the read and the write of a newer one, and
 * that write would be lost.
 *
 * <p>Safe for use by many threads. It forgets with its process; for what has to stay see {@link FencedGuard}.
 *
 * @param <T> the value's type
 */
public final class FencedRegister<T extends @Nullable Object> {

    private final String name;

    private T value;

    private long newest = Long.MIN_VALUE;

    /**
     * A register that has seen no token yet.
     *
     * @param name what it is, for the message of a refusal
     * @param initial its value until somebody changes it
     */
    public FencedRegister(String name, T initial) {
        this.name = name;
        this.value = initial;
    }

    /**
     * Reads the value, and refuses older tokens from now on.
     *
     * @param fencingToken the token of the reader's lock
     * @return the value
     * @throws StaleFencingTokenException if a greater token was here before
     */
    public synchronized T read(long fencingToken) {
        admit(fencingToken);
        return value;
    }

    /**
     * Sets the value, and refuses older tokens from now on.
     *
     * @param fencingToken the token of the writer's lock
     * @param newValue the value
     * @throws StaleFencingTokenException if a greater token was here before; the value stays as it is
     */
    public synchronized void write(long fencingToken, T newValue) {
        admit(fencingToken);
        value = newValue;
    }

    /**
     * Changes the value in one step, and refuses older tokens from now on.
     *
     * @param fencingToken the token of the writer's lock
     * @param change makes the new value of the old one; quick, since it runs while all others wait. If it throws, the
     *     value stays as it is
     * @return the new value
     * @throws StaleFencingTokenException if a greater token was here before; the change is not called
     */
    public synchronized T update(long fencingToken, UnaryOperator<T> change) {
        admit(fencingToken);
        value = change.apply(value);
        return value;
    }

    /**
     * The value for those who hold no lock: it may be about to change.
     *
     * @return the value at this moment
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
