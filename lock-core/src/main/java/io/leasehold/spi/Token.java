package io.leasehold.spi;

import java.util.HexFormat;

/**
 * What tells one lease from every other: 128 random bits, new for every attempt to acquire. Never made of the name of a
 * host, process or thread, since those come again.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record Token(long high, long low) {

    private static final HexFormat HEX = HexFormat.of();

    private static final int DIGITS = Long.SIZE / 4;

    /**
     * The token as stores keep it.
     *
     * @return 32 hexadecimal digits
     */
    public String value() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }

    /**
     * {@link #value()} in ASCII.
     *
     * @return 32 bytes
     */
    public byte[] bytes() {
        byte[] digits = new byte[2 * DIGITS];
        write(high, digits, 0);
        write(low, digits, DIGITS);
        return digits;
    }

    /** Only the beginning: who knows a whole token can release the lock. */
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
