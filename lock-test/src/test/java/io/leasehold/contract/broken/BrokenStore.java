package io.leasehold.contract.broken;

import io.leasehold.ForcedRelease;
import io.leasehold.LockListing;
import io.leasehold.LockState;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.spi.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A store with a simple implementation and one mistake. Without a mistake it satisfies the whole contract. */
final class BrokenStore {

    /** How long a store with a queue may keep the place of a waiter. */
    private static final Duration PLACE = Duration.ofSeconds(3);

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private final Map<String, List<CompletableFuture<Object>>> lines = new HashMap<>();

    /** The tokens that have waited, and the fencing tokens of their places. */
    private final Map<Token, Long> places = new HashMap<>();

    private final LongSupplier nanoTime;

    private final @Nullable Mistake mistake;

    private final Instant start = Instant.now();

    /** What a command writes without a look at the present lease, and after how many acquisitions. */
    private final List<LateWrite> lateWrites = new ArrayList<>();

    private long fences = 1_000_000;

    /** The time of a clock that ticks once for each command that changes leases. */
    private long commands;

    BrokenStore(LongSupplier nanoTime, @Nullable Mistake mistake) {
        this.nanoTime = nanoTime;
        this.mistake = mistake;
    }

    boolean has(Mistake one) {
        return mistake == one;
    }

    synchronized void wipe() {
        entries.clear();
        if (has(Mistake.FENCES_START_AGAIN)) {
            fences = 1_000_000;
        }
        if (has(Mistake.FENCES_START_AGAIN_AT_A_COARSE_CLOCK)) {
            fences = 0;
        }
    }

    synchronized void removeAllOf(List<Token> tokens) {
        entries.values().removeIf(entry -> tokens.contains(entry.token));
    }

    synchronized AcquireAnswer acquire(AcquireCommand command) {
        commands++;
        String name = BrokenNames.of(command.id(), mistake);
        lateWrites.removeIf(LateWrite::isOver);
        Entry entry = entries.get(name);
        if (entry != null && !isExpired(entry) && !grantsAllTheSame(entry, command)) {
            return isOwn(entry, command.token()) ? again(entry, command) : busy(entry, command, name);
        }
        if (entry != null && has(Mistake.FENCES_FALL_BACK_AFTER_EXPIRY)) {
            fences = entry.fence + 1;
        }
        Long place = places.remove(command.token());
        boolean oneToken = place != null && has(Mistake.WAITERS_GET_ONE_FENCING_TOKEN);
        Entry granted = new Entry(
                command.id(),
                command.token(),
                place != null && has(Mistake.WAITERS_GET_THE_FENCING_TOKEN_OF_THEIR_PLACE)
                        ? place
                        : mint(oneToken ? 1 : command.fencingTokens()));
        granted.lastFence = has(Mistake.REPORTS_THE_FIRST_FENCING_TOKEN)
                ? granted.fence
                : granted.fence + command.fencingTokens() - 1;
        granted.ttl = command.ttl();
        granted.since = start.plusNanos(now());
        granted.replacesAnother = entry != null;
        granted.expiresAt = now()
                + cut(inAnInt(command.ttl()), Mistake.GRANTS_WHOLE_SECONDS).toNanos();
        if (place != null && has(Mistake.WAITERS_GET_A_SHORT_LEASE)) {
            granted.expiresAt = now() + PLACE.toNanos();
        }
        entries.put(name, granted);
        return new Granted(granted.fence);
    }

    synchronized List<RenewAnswer> renew(List<RenewCommand> commands) {
        List<RenewAnswer> answers = new ArrayList<>();
        for (RenewCommand command : commands) {
            boolean tooMuch = has(Mistake.RENEWAL_DROPS_WHAT_IS_TOO_MUCH) && answers.size() >= 100;
            Duration ttl = has(Mistake.RENEWAL_TAKES_THE_FIRST_TTL_FOR_ALL)
                    ? commands.get(0).ttl()
                    : command.ttl();
            answers.add(tooMuch ? RenewAnswer.NOT_OWNER : renew(command, cut(ttl, Mistake.RENEWS_FOR_WHOLE_SECONDS)));
        }
        if (has(Mistake.RENEWAL_MIXES_UP_ITS_ANSWERS)) {
            Collections.sort(answers);
        }
        return answers;
    }

    synchronized LockState describe(LockId id) {
        Entry entry = entries.get(BrokenNames.of(id, mistake));
        return entry == null || isExpired(entry) ? new LockState.Free() : describe(entry);
    }

    synchronized LockListing list(String namespace, int limit) {
        List<LockListing.Entry> found = new ArrayList<>();
        int seen = 0;
        for (Entry entry : entries.values()) {
            if (seen++ > limit && has(Mistake.LIMITS_A_LISTING_BEFORE_IT_LEAVES_OUT_EXPIRED_LEASES)) {
                break;
            }
            if (entry.kind == Kind.REVOKED && has(Mistake.LISTS_NO_REVOKED_LEASES)) {
                continue;
            }
            boolean listed = entry.id.encoded().startsWith(namespace + ":") || has(Mistake.LISTS_OTHER_NAMESPACES);
            if (listed && (entry.expiresAt - now() > 0 || has(Mistake.LISTS_EXPIRED_LEASES))) {
                found.add(new LockListing.Entry(LockId.key(entry.id.encoded()), describe(entry)));
            }
        }
        return LockListing.of(found, has(Mistake.LISTS_WITHOUT_LIMIT) ? LockListing.MOST : limit);
    }

    ForcedRelease.Outcome revoke(LockId id, long fencingToken) {
        List<CompletableFuture<Object>> woken = new ArrayList<>();
        ForcedRelease.Outcome outcome = revoke(id, fencingToken, woken);
        woken.forEach(turn -> turn.complete(""));
        return outcome;
    }

    private synchronized ForcedRelease.Outcome revoke(
            LockId id, long fencingToken, List<CompletableFuture<Object>> woken) {
        String name = has(Mistake.REVOCATION_IGNORES_THE_KEY)
                ? nameOf(fencingToken, BrokenNames.of(id, mistake))
                : BrokenNames.of(id, mistake);
        Entry entry = entries.get(name);
        boolean expired =
                entry != null && isExpired(entry) && !has(Mistake.REVOCATION_OF_AN_EXPIRED_LEASE_IS_CONFIRMED);
        if (entry == null || expired) {
            return ForcedRelease.Outcome.FREE;
        }
        if (has(Mistake.REVOCATION_IS_UNSUPPORTED)) {
            return ForcedRelease.Outcome.UNSUPPORTED;
        }
        long named = has(Mistake.REVOCATION_EXPECTS_THE_FIRST_FENCING_TOKEN) ? entry.fence : entry.lastFence;
        if (named != fencingToken && !has(Mistake.REVOCATION_IGNORES_THE_FENCING_TOKEN)) {
            return ForcedRelease.Outcome.OTHER_HOLDER;
        }
        if (entry.kind == Kind.RELEASED || has(Mistake.REVOCATION_REMOVES_THE_LEASE)) {
            entries.remove(name);
            if (!has(Mistake.REMOVAL_OF_A_RETAINED_LEASE_WAKES_NOBODY)) {
                collectTurns(name, woken);
            }
            return entry.kind == Kind.RELEASED ? ForcedRelease.Outcome.REMOVED : ForcedRelease.Outcome.REVOKED;
        }
        entry.kind = Kind.REVOKED;
        return ForcedRelease.Outcome.REVOKED;
    }

    ReleaseAnswer release(ReleaseCommand command) {
        List<CompletableFuture<Object>> woken = new ArrayList<>();
        ReleaseAnswer answer = release(command, woken);
        Object brought = has(Mistake.WAKEUPS_BRING_A_GRANT_WITHOUT_A_LEASE) ? new Granted(fences + 1) : "";
        woken.forEach(turn -> turn.complete(brought));
        return answer;
    }

    private boolean grantsAllTheSame(Entry entry, AcquireCommand command) {
        entry.refusals++;
        boolean toWaiter = places.containsKey(command.token())
                && (entry.kind == Kind.RELEASED && has(Mistake.RETAINED_LEASE_IS_GRANTED_TO_A_WAITER)
                        || entry.kind == Kind.REVOKED && has(Mistake.REVOKED_LEASE_IS_GRANTED_TO_A_WAITER));
        boolean toSeventh =
                has(Mistake.GRANTS_TWO_OF_MANY) || has(Mistake.GRANTS_AN_EXPIRED_LOCK_TO_TWO) && entry.replacesAnother;
        return toWaiter || has(Mistake.GRANTS_A_HELD_LOCK) || toSeventh && entry.refusals == 7;
    }

    /** Whether a token gets its lease a second time. */
    private boolean isOwn(Entry entry, Token token) {
        boolean sameProcess = has(Mistake.GRANTS_TO_THE_PROCESS_OF_THE_HOLDER)
                && token.instance() != null
                && token.instance().equals(entry.token.instance());
        return (sameProcess || isSame(entry.token, token))
                && (entry.kind == Kind.HOLDER
                        || entry.kind == Kind.RELEASED && has(Mistake.RETAINED_LEASE_IS_GRANTED_AGAIN)
                        || entry.kind == Kind.REVOKED && has(Mistake.REVOKED_LEASE_IS_GRANTED_AGAIN));
    }

    private AcquireAnswer again(Entry entry, AcquireCommand command) {
        if (has(Mistake.IS_BUSY_FOR_ITS_OWN_TOKEN)) {
            return new Busy(Duration.ofNanos(entry.expiresAt - now()));
        }
        if (has(Mistake.MINTS_A_SECOND_FENCE_FOR_A_TOKEN)) {
            entry.fence = mint(command.fencingTokens());
        }
        if (!has(Mistake.DOES_NOT_RENEW_WHEN_REPEATED)) {
            entry.prolong(now()
                    + cut(command.ttl(), Mistake.REPEATS_FOR_WHOLE_SECONDS).toNanos());
        }
        entry.endless = has(Mistake.REPEATED_LEASE_NEVER_EXPIRES);
        return new Granted(entry.fence);
    }

    private AcquireAnswer busy(Entry entry, AcquireCommand command, String name) {
        Duration remaining = Duration.ofNanos(entry.expiresAt - now());
        if (has(Mistake.REMAINING_TIME_IS_TOO_LONG)) {
            remaining = remaining.multipliedBy(1_000);
        }
        if (has(Mistake.REMAINING_TIME_IS_CONSTANT)) {
            remaining = Duration.ofSeconds(1);
        }
        if (has(Mistake.REFUSAL_PROLONGS_THE_LEASE)) {
            entry.prolong(now() + entry.ttl.toNanos());
        }
        boolean turns = command.queueIfBusy() && !has(Mistake.NO_WAKEUPS);
        if (command.queueIfBusy()) {
            places.computeIfAbsent(command.token(), waiter -> mint(command.fencingTokens()));
        }
        return new Busy(remaining, turns ? turn(name) : null, false);
    }

    private CompletableFuture<Object> turn(String name) {
        CompletableFuture<Object> turn = new CompletableFuture<>();
        if (has(Mistake.WAKEUPS_COMPLETE_IMMEDIATELY)) {
            turn.complete("");
        }
        lines.computeIfAbsent(name, unused -> new ArrayList<>()).add(turn);
        return turn;
    }

    private RenewAnswer renew(RenewCommand command, Duration ttl) {
        String name = BrokenNames.of(command.id(), mistake);
        Entry entry = entries.get(name);
        if (entry == null && has(Mistake.RENEWAL_CREATES)) {
            entry = new Entry(command.id(), command.token(), mint(1));
            entry.expiresAt = now() + ttl.toNanos();
            entries.put(name, entry);
        }
        boolean owned = entry != null && (has(Mistake.RENEWAL_STEALS) || isSame(entry.token, command.token()));
        if (entry == null || !owned || isExpired(entry) && !has(Mistake.RENEWAL_REVIVES)) {
            return RenewAnswer.NOT_OWNER;
        }
        if (entry.kind == Kind.RELEASED && !has(Mistake.RETAINED_LEASE_STAYS_RENEWABLE)) {
            return RenewAnswer.NOT_OWNER;
        }
        if (entry.kind == Kind.REVOKED && !has(Mistake.REVOCATION_LEAVES_THE_LEASE_RENEWABLE)) {
            return RenewAnswer.REVOKED;
        }
        if (has(Mistake.RENEWAL_IS_NOT_ATOMIC)) {
            Entry renewed = entry;
            lateWrites.add(new LateWrite(() -> entries.put(name, renewed)));
        }
        if (has(Mistake.REPORTS_THE_TIME_OF_THE_LAST_RENEWAL)) {
            entry.since = start.plusNanos(now());
        }
        if (has(Mistake.RENEWAL_SHORTENS)) {
            entry.expiresAt = now() + ttl.toNanos();
        } else if (!has(Mistake.RENEWAL_DOES_NOTHING)) {
            entry.prolong(now() + ttl.toNanos());
        }
        entry.endless = has(Mistake.RENEWED_LEASE_NEVER_EXPIRES);
        return RenewAnswer.RENEWED;
    }

    private synchronized ReleaseAnswer release(ReleaseCommand command, List<CompletableFuture<Object>> woken) {
        commands++;
        String name = BrokenNames.of(command.id(), mistake);
        Entry entry = entries.get(name);
        boolean owned = entry != null
                && (has(Mistake.RELEASE_IGNORES_THE_TOKEN)
                        || isReleasedByAnyone(entry)
                        || isSame(entry.token, command.token()));
        boolean expired = entry != null && isExpired(entry) && !has(Mistake.RELEASE_OF_AN_EXPIRED_LEASE_IS_CONFIRMED);
        if (entry == null || !owned || expired || isKept(entry)) {
            return has(Mistake.RELEASE_IS_ALWAYS_CONFIRMED) ? ReleaseAnswer.RELEASED : ReleaseAnswer.NOT_OWNER;
        }
        if (!command.retainFor().isZero() && !has(Mistake.RELEASE_RETAINS_NOTHING)) {
            if (!has(Mistake.RELEASE_RETAINS_THE_REMAINING_TIME)) {
                entry.expiresAt = now()
                        + cut(command.retainFor(), Mistake.RETAINS_FOR_WHOLE_SECONDS)
                                .toNanos();
            }
            boolean renewable =
                    entry.kind == Kind.REVOKED && has(Mistake.REVOKED_LEASE_IS_RENEWABLE_ONCE_IT_IS_RETAINED);
            entry.kind = renewable ? Kind.HOLDER : Kind.RELEASED;
            return ReleaseAnswer.RELEASED;
        }
        if (has(Mistake.RELEASE_IS_NOT_ATOMIC)) {
            lateWrites.add(new LateWrite(() -> entries.remove(name)));
            return ReleaseAnswer.RELEASED;
        }
        entries.remove(name);
        if (entry.kind != Kind.REVOKED || !has(Mistake.RELEASE_OF_A_REVOKED_LEASE_WAKES_NOBODY)) {
            collectTurns(name, woken);
        }
        return ReleaseAnswer.RELEASED;
    }

    private boolean isExpired(Entry entry) {
        return entry.expiresAt - now() <= 0 && !entry.endless;
    }

    private boolean isSame(Token token, Token other) {
        boolean high = token.high() == other.high() || has(Mistake.COMPARES_THE_LAST_HALF_OF_A_TOKEN);
        boolean low = token.low() == other.low() || has(Mistake.COMPARES_THE_FIRST_HALF_OF_A_TOKEN);
        return high && low;
    }

    private boolean isReleasedByAnyone(Entry entry) {
        return entry.kind == Kind.REVOKED && has(Mistake.REVOKED_LEASE_IS_RELEASED_BY_ANYONE)
                || entry.kind == Kind.RELEASED && has(Mistake.RETAINED_LEASE_IS_RELEASED_BY_ANYONE);
    }

    private boolean isKept(Entry entry) {
        return entry.kind == Kind.RELEASED
                        && !has(Mistake.RETAINED_LEASE_IS_RELEASED_BY_ANYONE)
                        && !has(Mistake.REPEATED_RELEASE_PROLONGS)
                || entry.kind == Kind.REVOKED && has(Mistake.REVOKED_LEASE_CANNOT_BE_RELEASED);
    }

    private void collectTurns(String name, List<CompletableFuture<Object>> woken) {
        if (has(Mistake.WAKEUPS_NEVER_COMPLETE)) {
            return;
        }
        if (has(Mistake.A_RELEASE_WAKES_OTHER_KEYS)) {
            lines.values().forEach(woken::addAll);
            return;
        }
        List<CompletableFuture<Object>> line = lines.getOrDefault(name, new ArrayList<>());
        if (!has(Mistake.CANCELLED_WAITERS_STAY_QUEUED)) {
            line.removeIf(CompletableFuture::isDone);
        }
        int count = has(Mistake.A_RELEASE_WAKES_ALL) ? line.size() : Math.min(1, line.size());
        for (int i = 0; i < count; i++) {
            woken.add(line.remove(0));
        }
    }

    /** A ttl below a second is not affected, so that only longer ones show the mistake. */
    private Duration cut(Duration ttl, Mistake mistake) {
        return has(mistake) && ttl.toSeconds() > 0 ? Duration.ofSeconds(ttl.toSeconds()) : ttl;
    }

    private Duration inAnInt(Duration ttl) {
        return has(Mistake.COUNTS_MILLISECONDS_IN_AN_INT) ? Duration.ofMillis((int) ttl.toMillis()) : ttl;
    }

    private LockState.Held describe(Entry entry) {
        Instance instance = entry.token.instance();
        String process = instance == null ? null : instance.name();
        Duration remaining = Duration.ofNanos(Math.max(1, entry.expiresAt - now()));
        return new LockState.Held(
                entry.kind,
                has(Mistake.REPORTS_NO_THREAD) ? process : entry.token.holder(),
                has(Mistake.REPORTS_THE_TIME_OF_THE_GRANT_IN_SECONDS)
                        ? Instant.ofEpochMilli(entry.since.getEpochSecond())
                        : entry.since,
                has(Mistake.REPORTS_THE_REMAINING_TIME_IN_SECONDS)
                        ? Duration.ofMillis(remaining.toSeconds())
                        : remaining,
                OptionalLong.of(entry.lastFence),
                OptionalInt.empty());
    }

    /** The lock whose present lease has a fencing token. */
    private String nameOf(long fencingToken, String otherwise) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().lastFence == fencingToken)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(otherwise);
    }

    private long mint(int count) {
        if (has(Mistake.FENCES_START_AGAIN_AT_A_COARSE_CLOCK)) {
            fences = Math.max(fences, 1_000_000 + commands);
        }
        long first = fences;
        fences += has(Mistake.FENCES_IGNORE_THE_BLOCK) ? 1 : count;
        return first;
    }

    private long now() {
        return nanoTime.getAsLong();
    }

    /** A write that arrives after the next acquisition, as if it and its comparison were two steps. */
    private static final class LateWrite {

        private final Runnable write;

        private int acquisitions;

        LateWrite(Runnable write) {
            this.write = write;
        }

        boolean isOver() {
            if (++acquisitions < 2) {
                return false;
            }
            write.run();
            return true;
        }
    }

    /** A lease. */
    private static final class Entry {

        final LockId id;

        final Token token;

        long fence;

        long lastFence;

        Duration ttl = Duration.ZERO;

        Kind kind = Kind.HOLDER;

        long expiresAt;

        /** Whether nothing will remove the lease when it expires. */
        boolean endless;

        int refusals;

        boolean replacesAnother;

        Instant since = Instant.EPOCH;

        Entry(LockId id, Token token, long fence) {
            this.id = id;
            this.token = token;
            this.fence = fence;
        }

        void prolong(long deadline) {
            expiresAt = Math.max(expiresAt, deadline);
        }
    }
}
