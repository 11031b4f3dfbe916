package io.leasehold.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * Records the grants of a test and checks them for two kinds of violations:
 *
 * <ol>
 *   <li>Overlap: two holders of a key that both considered it held at the same time.
 *   <li>Fencing tokens that do not increase: a later holder with a token that is not greater than an earlier holder's
 *       token.
 * </ol>
 *
 * <p>Only periods between two checks of the holder count, so that a violation is never an artefact of measurement.
 */
public final class History {

    private final ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();

    /** Adds a grant. Thread-safe. */
    public void add(Grant grant) {
        grants.add(grant);
    }

    /** Returns the number of grants. */
    public int size() {
        return grants.size();
    }

    /**
     * Returns all violations.
     *
     * @return a line for each violation, empty if there is none
     */
    public List<String> violations() {
        List<String> violations = new ArrayList<>();
        Map<String, List<Grant>> byKey = grants.stream().collect(Collectors.groupingBy(Grant::key));
        byKey.forEach((key, ofKey) -> check(ofKey, violations));
        return violations;
    }

    private static void check(List<Grant> grants, List<String> violations) {
        List<Grant> sorted = new ArrayList<>(grants);
        sorted.sort((a, b) -> Long.signum(a.from() - b.from()));
        Grant longest = sorted.get(0);
        long highestFence = longest.fence();
        for (Grant grant : sorted.subList(1, sorted.size())) {
            if (grant.from() - longest.to() <= 0) {
                violations.add("overlap: " + longest + " and " + grant);
            }
            if (grant.fence() <= highestFence) {
                violations.add("fence does not rise above " + highestFence + ": " + grant);
            }
            highestFence = Math.max(highestFence, grant.fence());
            longest = grant.to() - longest.to() > 0 ? grant : longest;
        }
    }
}
