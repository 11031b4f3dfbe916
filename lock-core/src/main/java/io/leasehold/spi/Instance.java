package io.leasehold.spi;

import io.leasehold.LockState;
import java.util.HexFormat;

/**
 * A process that holds locks, or one of several engines in a process. The id is random and never used again; the name
 * is for people.
 *
 * @param id 40 random bits
 * @param name the name, such as {@code orders@host-3:4711}; printable, with at most
 *     {@value LockState#LONGEST_NAME} characters
 */
public record Instance(long id, String name) {

    /** The length of an id. A collision among 10,000 processes of a week has a probability of 1 in 20,000. */
    static final int ID_BITS = 40;

    private static final String THREAD = ", thread ";

    /** Truncates the id to 40 bits, and makes the name printable. */
    public Instance {
        id &= (1L << ID_BITS) - 1;
        name = LockState.printable(name);
    }

    /**
     * Returns the id as text.
     *
     * @return 10 hexadecimal digits
     */
    public String idDigits() {
        return HexFormat.of().toHexDigits(id, ID_BITS / 4);
    }

    /**
     * Returns the name of a holder: a thread of an instance.
     *
     * @param name the instance's name, which is cut if both together are longer than {@value LockState#LONGEST_NAME}
     *     characters
     * @param threadId the id of the thread, zero if there is none
     * @return the name, such as {@code orders@host-3:4711, thread 47}
     */
    public static String holder(String name, long threadId) {
        if (threadId == 0) {
            return name;
        }
        String thread = THREAD + threadId;
        return name.substring(0, Math.min(name.length(), LockState.LONGEST_NAME - thread.length())) + thread;
    }
}
