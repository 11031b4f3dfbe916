package io.leasehold.spi;

import org.jspecify.annotations.Nullable;

/** The failure of a store operation, and its known effect on the store. */
public class BackendFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Effect effect;

    /**
     * Creates the failure.
     *
     * @param effect the known effect of the operation
     * @param message the description of the failure and, if an action is necessary, the next step
     * @param cause the exception of the store's client, if any
     */
    public BackendFailure(Effect effect, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.effect = effect;
    }

    /**
     * Returns the known effect of the operation.
     *
     * @return the effect
     */
    public Effect effect() {
        return effect;
    }

    /** The known effect of a failed operation. */
    public enum Effect {

        /**
         * The store refused the operation. The operation had no effect, and a retry is useless until the cause is
         * repaired.
         */
        REFUSED,

        /** The store could not carry out the operation. The operation had no effect, and a retry may succeed. */
        NOT_DONE,

        /** There was no answer, or no reliable one. The operation may have been carried out, or may still be. */
        UNKNOWN
    }
}
