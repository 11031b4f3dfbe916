package io.leasehold.spi;

import org.jspecify.annotations.Nullable;

/** An operation that the store did not answer with an answer, and what that means for its effect. */
public class BackendFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Effect effect;

    /**
     * Creates the failure.
     *
     * @param effect what is known of the operation's effect
     * @param message what happened and, where somebody has to act, the next step
     * @param cause what the store's client threw
     */
    public BackendFailure(Effect effect, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
    }

    /**
     * What is known of the operation's effect.
     *
     * @return the effect
     */
    public Effect effect() {
        return effect;
    }

    /** What is known of the effect of an operation that failed. */
    public enum Effect {

        /** The store refused: nothing was done, and asking again is of no use before somebody repairs something. */
        REFUSED,

        /** The store was not able to: nothing was done, and asking again may help. */
        NOT_DONE,

        /** There was no answer, or none that can be trusted: it may have been done, or may still be. */
        UNKNOWN
    }
}
