package io.leasehold.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * What was granted in a test, and whether it may have been. Two things are looked for:
 *
 * <ol>
 *   <li>Overlap: two holders of a key that both were sure of it at the same moment.
 *   <li>Fencing tokens that do not rise: a later holder with a token that is not greater than an earlier one's.
 * </ol>
 *
 * <p>Only stretches of time in which the holder had asked are counted, so what is found is no matter of measuring.
 */
public final class History {

    private final ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();

    /** Adds a grant; safe for many threads. */
    public void add(Grant grant) {
        grants.add(grant);
    }

    /** How many grants there were. */
    public int size() {
        return grants.size();
    }

    /**
     * Looks for what must not be.
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
