package io.leasehold.spi;

import io.leasehold.LockState;
import java.util.HexFormat;

/**
 * A process that holds locks, or one of several engines in a process. The id is random and never used again; the name
 * is for people.
 *
 * @param id 48 random bits
 * @param name the name, such as {@code orders@host-3:4711}; printable, with at most
 *     {@value LockState#LONGEST_NAME} characters
 */
public record Instance(long id, String name) {

    /** The number of hexadecimal digits of an id. */
    static final int DIGITS = 12;

    private static final long ID_BITS = 0xffff_ffff_ffffL;

    /** Truncates the id to 48 bits, and makes the name printable. */
    public Instance {
        id &= ID_BITS;
        name = LockState.printable(name);
    }

    /**
     * Returns the id as {@link Token#valueWithInstance()} contains it.
     *
     * @return 12 hexadecimal digits
     */
    public String idDigits() {
        return HexFormat.of().toHexDigits(id, DIGITS);
    }
}
