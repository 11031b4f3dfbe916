package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockProperties.Safety.Level;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks at start-up for settings that make locks less safe. If a store does not answer, this is logged and the application
 * starts nevertheless; its lockers work as soon as the store is available.
 */
final class SafetyCheck {

    private static final Logger log = LoggerFactory.getLogger(SafetyCheck.class);

    /** No caller waits for the check, and the first connection of a busy start can take seconds. */
    private static final Duration IN_BACKGROUND = Duration.ofSeconds(30);

    private final StoreInspection inspection;

    private final LockProperties.Safety properties;

    private volatile boolean stopped;

    SafetyCheck(StoreInspection inspection, LockProperties.Safety properties) {
        this.inspection = inspection;
        this.properties = properties;
    }

    /**
     * Runs the check: in the background if it only warns.
     *
     * @throws UnsafeStoreException if there is a finding that is configured to fail the start
     */
    void run() {
        stopped = false;
        if (properties.uses(Level.FAIL)) {
            failOnFindings(inspection.begin());
        } else if (properties.uses(Level.WARN)) {
            inspection
                    .begin(IN_BACKGROUND)
                    .forEach((store, answer) -> answer.whenComplete((findings, failure) -> {
                        if (failure == null) {
                            findings.forEach(finding -> warn(store, finding));
                        } else {
                            tell(store, failure);
                        }
                    }));
        }
    }

    /** Ignores later answers: connections are about to close, which is not a fault of the store. */
    void stop() {
        stopped = true;
    }

    private void failOnFindings(Map<String, CompletableFuture<List<SafetyFinding>>> answers) {
        List<String> findings = new ArrayList<>();
        answers.forEach((store, answer) -> {
            try {
                for (SafetyFinding finding : answer.join()) {
                    warn(store, finding);
                    if (properties.levelOf(finding) == Level.FAIL) {
                        findings.add(store + ": " + finding);
                    }
                }
            } catch (CompletionException ex) {
                tell(store, ex);
            }
        });
        if (!findings.isEmpty()) {
            throw new UnsafeStoreException(findings);
        }
    }

    private void warn(String store, SafetyFinding finding) {
        if (properties.levelOf(finding) == Level.WARN) {
            log.warn("Locks in '{}' are less safe than they could be: {}", store, finding);
        }
    }

    private void tell(String store, Throwable failure) {
        if (!stopped) {
            log.warn(
                    "Lock store '{}' could not be checked: {}. Its lockers fail until it answers. How it is reached is set by"
                            + " {}",
                    store,
                    StoreInspection.explain(failure),
                    inspection.setBy(store));
        }
    }

    /** A finding about a store is configured to fail the start. */
    static final class UnsafeStoreException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient List<String> findings;

        UnsafeStoreException(List<String> findings) {
            super("locks are less safe than they could be, and 'lock.safety' says that this fails the start: "
                    + findings);
            this.findings = findings;
        }

        List<String> findings() {
            return findings;
        }
    }
}
