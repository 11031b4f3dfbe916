package io.leasehold.locker;

import org.jspecify.annotations.Nullable;

/**
 * A {@link LockerCustomizer} or a {@link LockKeyCustomizer} returned a result that cannot be used. Nothing was locked.
 */
public final class LockCustomizerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String description;

    private final String nextStep;

    /**
     * Creates the exception.
     *
     * @param description the customizer, the locker and the result, as a sentence without a full stop
     * @param nextStep the next step, as a sentence
     * @param cause the failure of the customizer, {@code null} if it returned
     */
    public LockCustomizerException(String description, String nextStep, @Nullable Throwable cause) {
        super(description + ". " + nextStep, cause);
        this.description = description;
        this.nextStep = nextStep;
    }

    /**
     * Returns what failed.
     *
     * @return the customizer, the locker and the result
     */
    public String description() {
        return description;
    }

    /**
     * Returns how to correct the customizer.
     *
     * @return the next step
     */
    public String nextStep() {
        return nextStep;
    }
}
