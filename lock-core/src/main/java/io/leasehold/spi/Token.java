package io.leasehold.spi;

import java.util.HexFormat;

/**
 * Identifies one lease: 128 random bits, newly drawn for every attempt to acquire. A token is never derived from the
 * name of a host, process or thread, because such names are reused.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Token(long high, long low) {

    private static final HexFormat HEX = HexFormat.of();

    private static final int DIGITS = Long.SIZE / 4;

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
        write(high, digits, 0);
        write(low, digits, DIGITS);
        return digits;
    }

    /** Returns only the beginning of the token, because a client that knows the whole token can release the lock. */
    @Override
    public String toString() {
        return HEX.toHexDigits(high).substring(0, 6) + "...";
    }

    private static void write(long bits, byte[] digits, int start) {
        long rest = bits;
        for (int i = start + DIGITS - 1; i >= start; i--) {
            digits[i] = (byte) HEX.toLowHexDigit((int) rest);
            rest >>>= 4;
        }
    }
}
