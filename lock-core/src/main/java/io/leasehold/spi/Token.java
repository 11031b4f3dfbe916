package io.leasehold.spi;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies one lease: 128 random bits, newly drawn for every attempt to acquire. A token is never derived from the
 * name of a host, process or thread, because such names are reused. The instance that drew the token and the thread
 * that requested the lease are kept beside these bits, so that a store can report the holder of a lock.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 * @param instance the instance that requests the lease, {@code null} if it has no name
 * @param threadId the {@linkplain Thread#getId() id} of the thread that requests the lease, zero if there is none. A
 *     lease that is handed over inside its process keeps the thread of its grant
 */
public record Token(long high, long low, @Nullable Instance instance, long threadId) {

    private static final HexFormat HEX = HexFormat.of();

    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);

    private static final int DIGITS = Long.SIZE / 4;

    /** The characters for the instance's 40 bits and the thread's 32 bits, six bits each. */
    private static final int HOLDER_LENGTH = (Instance.ID_BITS + Integer.SIZE) / 6;

    /**
     * Creates the token of a lease whose holder has no name.
     *
     * @param high the first 64 bits
     * @param low the last 64 bits
     */
    public Token(long high, long low) {
        this(high, low, null, 0);
    }

    /**
     * Returns the name of the holder, for people: the instance's name, and the thread if the lease has one. A thread dump
     * shows the thread under the same number.
     *
     * @return the name, such as {@code orders@host-3:4711, thread 47}; {@code null} if the instance has no name
     */
    public @Nullable String holder() {
        return instance == null ? null : Instance.holder(instance.name(), threadId);
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
     * Returns {@link #value()}, followed by 40 bits of the instance's id and 32 bits of the thread's id in Base64 for URLs.
     * They are zeros if the holder has no name, or the thread no id of this length. For stores that look up the holder's
     * name by the instance's id.
     *
     * @return 44 characters, the longest string that Redis keeps in one object with its header
     */
    public String valueWithHolder() {
        return new String(bytesWithHolder(), StandardCharsets.US_ASCII);
    }

    /**
     * Returns {@link #valueWithHolder()} in ASCII.
     *
     * @return 44 bytes
     */
    public byte[] bytesWithHolder() {
        byte[] text = new byte[2 * DIGITS + HOLDER_LENGTH];
        write(high, text, 0, DIGITS);
        write(low, text, DIGITS, DIGITS);
        long id = instance == null ? 0 : instance.id();
        long thread = threadId == (threadId & 0xffff_ffffL) ? threadId : 0;
        // two halves of 36 bits, because both ids do not fit into one number
        writeBase64(id >>> 4, text, 2 * DIGITS);
        writeBase64((id & 0xf) << Integer.SIZE | thread, text, 2 * DIGITS + HOLDER_LENGTH / 2);
        return text;
    }

    /** Returns only the beginning of the token, because a client that knows the whole token can release the lock. */
    @Override
    public String toString() {
        return HEX.toHexDigits(high).substring(0, 6) + "...";
    }

    private static void write(long bits, byte[] digits, int start, int count) {
        long rest = bits;
        for (int i = start + count - 1; i >= start; i--) {
            digits[i] = (byte) HEX.toLowHexDigit((int) rest);
            rest >>>= 4;
        }
    }

    private static void writeBase64(long bits, byte[] text, int start) {
        long rest = bits;
        for (int i = start + HOLDER_LENGTH / 2 - 1; i >= start; i--) {
            text[i] = BASE64[(int) (rest & 0x3f)];
            rest >>>= 6;
        }
    }
}
