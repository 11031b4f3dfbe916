package io.leasehold.spi;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one lease: 128 random bits, newly drawn for every attempt to acquire. A token is never derived from the
 * name of a host, process or thread, because such names are reused. The instance that drew the token is kept beside
 * these bits, so that a store can report which process holds a lock.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 * @param instance the instance that requests the lease, {@code null} if it has no name
 */
public record Token(long high, long low, @Nullable Instance instance) {

    private static final HexFormat HEX = HexFormat.of();

    private static final int DIGITS = Long.SIZE / 4;

    /**
     * Creates the token of a lease whose holder has no name.
     *
     * @param high the first 64 bits
     * @param low the last 64 bits
     */
    public Token(long high, long low) {
        this(high, low, null);
    }

    /**
     * Returns the form that stores keep.
     *
     * @return 32 hexadecimal digits
     */
    public String value() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /**
     * Returns {@link #value()} in ASCII.
     *
     * @return 32 bytes
     */
    public byte[] bytes() {
        byte[] digits = new byte[2 * DIGITS];
        write(high, digits, 0, DIGITS);
        write(low, digits, DIGITS, DIGITS);
        return digits;
    }

    /**
     * Returns {@link #value()}, followed by the 12 hexadecimal digits of the instance's id, which are zeros if the
     * holder has no name. For stores that look up the holder's name by the id.
     *
     * @return 44 hexadecimal digits
     */
    public String valueWithInstance() {
        return value() + HEX.toHexDigits(instanceId(), Instance.DIGITS);
    }

    /**
     * Returns {@link #valueWithInstance()} in ASCII.
     *
     * @return 44 bytes
     */
    public byte[] bytesWithInstance() {
        byte[] digits = new byte[2 * DIGITS + Instance.DIGITS];
        write(high, digits, 0, DIGITS);
        write(low, digits, DIGITS, DIGITS);
        write(instanceId(), digits, 2 * DIGITS, Instance.DIGITS);
        return digits;
    }

    /** Returns only the beginning of the token, because a client that knows the whole token can release the lock. */
    @Override
    public String toString() {
        return HEX.toHexDigits(high).substring(0, 6) + "...";
    }

    private long instanceId() {
        return instance == null ? 0 : instance.id();
    }

    private static void write(long bits, byte[] digits, int start, int count) {
        long rest = bits;
        for (int i = start + count - 1; i >= start; i--) {
            digits[i] = (byte) HEX.toLowHexDigit((int) rest);
            rest >>>= 4;
        }
    }
}
