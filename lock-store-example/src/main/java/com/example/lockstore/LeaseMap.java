package com.example.lockstore;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the server. Each request is one line of words and one atomic step, evaluated with the server's clock:
 *
 * <pre>
 * ACQUIRE id token ttl count  ->  GRANTED firstFence | BUSY remaining
 * RENEW   id token ttl        ->  YES | NO
 * RELEASE id token keep       ->  YES | NO
 * </pre>
 *
 * <p>Fencing tokens come from one counter, which never falls behind the clock in microseconds. They therefore increase
 * across restarts, although the map is lost with its process.
 */
final class LeaseMap {

    private record Lease(String token, long firstFence, long end) {}

    /** Not the token of any holder. */
    private static final String RELEASED = "released";

    private final Map<String, Lease> leases = new HashMap<>();

    private long lastFence;

    synchronized void clear() {
        leases.clear();
    }

    synchronized String answer(String request) {
        String[] words = request.split(" ");
        long millis = Long.parseLong(words[3]);
        return switch (words[0]) {
            case "ACQUIRE" -> acquire(words[1], words[2], millis, Integer.parseInt(words[4]));
            case "RENEW" -> yesOrNo(renew(words[1], words[2], millis));
            case "RELEASE" -> yesOrNo(release(words[1], words[2], millis));
            default -> throw new IllegalArgumentException("no such request: " + words[0]);
        };
    }

    private String acquire(String id, String token, long millis, int count) {
        Lease held = valid(id);
        if (held == null) {
            long first = Math.max(lastFence + 1, System.currentTimeMillis() * 1_000);
            lastFence = first + count - 1;
            leases.put(id, new Lease(token, first, end(millis)));
            return "GRANTED " + first;
        }
        if (renew(id, token, millis)) {
            return "GRANTED " + held.firstFence();
        }
        return "BUSY " + Math.max(1, (held.end() - System.nanoTime()) / 1_000_000);
    }

    /** Renews a lease. Never shortens it, because renewals may overtake each other. */
    private boolean renew(String id, String token, long millis) {
        Lease held = valid(id);
        if (held == null || !held.token().equals(token)) {
            return false;
        }
        long end = end(millis);
        if (end - held.end() > 0) {
            leases.put(id, new Lease(token, held.firstFence(), end));
        }
        return true;
    }

    /** Releases a lease. What is kept has no holder, so that a late renewal does not extend it. */
    private boolean release(String id, String token, long keepMillis) {
        Lease held = valid(id);
        if (held == null || !held.token().equals(token)) {
            return false;
        }
        leases.put(id, new Lease(RELEASED, held.firstFence(), end(keepMillis)));
        return true;
    }

    private @Nullable Lease valid(String id) {
        Lease lease = leases.get(id);
        if (lease != null && lease.end() - System.nanoTime() <= 0) {
            leases.remove(id);
            return null;
        }
        return lease;
    }

    private static long end(long millis) {
        return System.nanoTime() + millis * 1_000_000;
    }

    private static String yesOrNo(boolean done) {
        return done ? "YES" : "NO";
    }
}
