package io.leasehold.autoconfigure;

import io.leasehold.LockListener;
import io.leasehold.LockerStatus;
import io.leasehold.autoconfigure.property.LockProperties;
import io.leasehold.autoconfigure.property.LockProperties.Safety.Level;
import io.leasehold.engine.LockEngine;
import io.leasehold.spi.SafetyFinding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the stores for settings that make locks less safe. A check that may fail the start runs at start-up and opens
 * connections. A check that only warns runs in the background, once for each store, when a locker connects to the store
 * for the first time. If a store does not answer, this is logged and the application continues; its lockers work as
 * soon as the store is available.
 */
final class SafetyCheck implements LockListener {

    private static final Logger log = LoggerFactory.getLogger(SafetyCheck.class);

    /** No caller waits for the check, and the first connection of a busy start can take seconds. */
    private static final Duration IN_BACKGROUND = Duration.ofSeconds(30);

    private final StoreInspection inspection;

    private final LockProperties.Safety properties;

    private final LockEngine engine;

    /** The stores to which a locker has connected. */
    private final Set<String> connectedTo = ConcurrentHashMap.newKeySet();

    /** The stores to which a locker could not connect. */
    private final Set<String> absent = ConcurrentHashMap.newKeySet();

    /** The store and the subject of each warning. The check of an absent store may be answered once the store is back. */
    private final Set<String> warnings = ConcurrentHashMap.newKeySet();

    private volatile boolean stopped;

    SafetyCheck(StoreInspection inspection, LockProperties.Safety properties, LockEngine engine) {
        this.inspection = inspection;
        this.properties = properties;
        this.engine = engine;
    }

    /**
     * Runs the check if it may fail the start.
     *
     * @throws UnsafeStoreException if there is a finding that is configured to fail the start
     */
    void run() {
        if (properties.uses(Level.FAIL)) {
            failOnFindings(inspection.begin());
        }
    }

    /** Checks the stores again to which lockers connect from now on. */
    void resume() {
        stopped = false;
    }

    /** Ignores later answers: connections are about to close, which is not a fault of the store. */
    void stop() {
        stopped = true;
        connectedTo.clear();
        absent.clear();
        warnings.clear();
    }

    @Override
    public void connectEnded(String locker, boolean connected) {
        if (stopped || properties.uses(Level.FAIL) || !properties.uses(Level.WARN)) {
            return;
        }
        // a locker that was created at run time may be closed meanwhile
        engine.status(locker)
                .map(LockerStatus::backend)
                .filter((connected ? connectedTo : absent)::add)
                .ifPresent(store -> inspection.begin(store, IN_BACKGROUND).whenComplete((findings, failure) -> {
                    if (failure == null) {
                        warn(store, findings);
                    } else {
                        report(store, failure);
                    }
                }));
    }

    private void failOnFindings(Map<String, CompletableFuture<List<SafetyFinding>>> answers) {
        List<String> findings = new ArrayList<>();
        answers.forEach((store, answer) -> {
            try {
                List<SafetyFinding> found = answer.join();
                warn(store, found);
                for (SafetyFinding finding : found) {
                    if (properties.levelOf(finding) == Level.FAIL) {
                        findings.add(store + ": " + finding);
                    }
                }
            } catch (CompletionException ex) {
                report(store, ex);
            }
        });
        if (!findings.isEmpty()) {
            throw new UnsafeStoreException(findings);
        }
    }

    /** Logs the findings of one answer, several of which may have one subject, unless an earlier answer had the subject. */
    private void warn(String store, List<SafetyFinding> findings) {
        Set<String> subjects = new HashSet<>();
        for (SafetyFinding finding : findings) {
            String subject = finding.subject();
            if (properties.levelOf(finding) == Level.WARN
                    && (subjects.contains(subject) || warnings.add(store + ": " + subject))) {
                subjects.add(subject);
                log.warn("Locks in '{}' are less safe than they could be: {}", store, finding);
            }
        }
    }

    private void report(String store, Throwable failure) {
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
