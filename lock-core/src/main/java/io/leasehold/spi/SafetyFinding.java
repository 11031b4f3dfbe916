package io.leasehold.spi;

/**
 * Something about a store that makes its locks less safe than they could be.
 *
 * @param subject what was looked at, such as {@code maxmemory-policy}
 * @param finding what was found, with its value, and what it may do to a lock
 * @param nextStep what to do about it
 */
public record SafetyFinding(String subject, String finding, String nextStep) {

    /** The finding as one line for a log. */
    @Override
    public String toString() {
        return subject + ": " + finding + ". " + nextStep;
    }
}
