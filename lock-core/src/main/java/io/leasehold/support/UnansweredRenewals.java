package io.leasehold.support;

import org.slf4j.LoggerFactory;

/** Logs why a store has no answer for some leases of a renewal. The engine logs the locker and their number. */
public final class UnansweredRenewals {

    private UnansweredRenewals() {}

    /**
     * Logs the reason, unless all leases have an answer.
     *
     * @param store the class whose logger is used
     * @param unanswered the number of leases without an answer
     * @param all the number of leases
     * @param reason why they have none
     */
    public static void log(Class<?> store, int unanswered, int all, String reason) {
        if (unanswered > 0) {
            SafeLogging.log(() -> LoggerFactory.getLogger(store)
                    .warn("No answer to the renewal of {} of {} locks: {}", unanswered, all, reason));
        }
    }
}
