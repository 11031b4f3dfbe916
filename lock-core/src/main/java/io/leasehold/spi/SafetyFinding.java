package io.leasehold.spi;

/**
 * A condition of a store that makes its locks less safe.
 *
 * @param subject the checked setting or property, such as {@code maxmemory-policy}
 * @param finding the condition, with its value and its possible effect on a lock
 * @param nextStep the recommended action
 */
public record SafetyFinding(String subject, String finding, String nextStep) {

    /** Returns the finding as one line for a log. */
    @Override
    public String toString() {
        return subject + ": " + finding + ". " + nextStep;
    }
}
