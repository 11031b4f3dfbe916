package io.leasehold.redis;

import io.leasehold.LockState.Held;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.Instance;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a script has read of one lock.
 *
 * @param remainingMillis the remaining time as {@code PTTL} returns it
 * @param fence the fencing counter, zero if the key has none
 * @param waiting the number of waiters
 * @param clockMicros the server's time
 * @param owner the value of the lock's key, empty if the key has another type
 */
record RedisEntry(long remainingMillis, long fence, int waiting, long clockMicros, String owner) {

    /** A token, the ids of its holder, and the mark of a retained lease. Other libraries write tokens of 32 digits. */
    private static final Pattern OWNER = Pattern.compile("[0-9a-f]{32}([0-9A-Za-z_-]{12})(?:\\|(released|revoked))?");

    private static final int INSTANCE_BYTES = 5;

    /** A counter below the time of September 2001 did not start at the server's clock. */
    private static final long LEAST_BY_CLOCK = 1_000_000_000_000_000L;

    private static final long ABSENT = -2;

    static RedisEntry absent() {
        return new RedisEntry(ABSENT, 0, 0, 0, "");
    }

    boolean isAbsent() {
        return remainingMillis == ABSENT;
    }

    /** The digits of the id of the instance that holds the lock, {@code null} if they are unknown. */
    @Nullable
    String instanceId() {
        Matcher matcher = OWNER.matcher(owner);
        return matcher.matches() ? HexFormat.of().formatHex(holderIds(matcher), 0, INSTANCE_BYTES) : null;
    }

    /** The id of the thread that requested the lock, zero if it is unknown. */
    private long threadId() {
        Matcher matcher = OWNER.matcher(owner);
        return matcher.matches()
                ? Integer.toUnsignedLong(ByteBuffer.wrap(holderIds(matcher)).getInt(INSTANCE_BYTES))
                : 0;
    }

    private static byte[] holderIds(Matcher owner) {
        return Base64.getUrlDecoder().decode(owner.group(1));
    }

    /** The state of the lock, whose holder is in the instance with a name. */
    Held held(@Nullable String instance) {
        Kind kind = kind();
        // the counter starts at the server's time at the grant, unless the clock was set back
        boolean tellsTime = kind != Kind.FOREIGN && fence >= LEAST_BY_CLOCK && fence <= clockMicros;
        return new Held(
                kind,
                instance == null ? null : Instance.holder(instance, threadId()),
                tellsTime ? Instant.EPOCH.plus(fence, ChronoUnit.MICROS) : null,
                remainingMillis < 0 ? null : Duration.ofMillis(remainingMillis),
                kind == Kind.FOREIGN || fence == 0 ? OptionalLong.empty() : OptionalLong.of(fence),
                OptionalInt.of(waiting));
    }

    private Kind kind() {
        Matcher matcher = OWNER.matcher(owner);
        if (!matcher.matches()) {
            return Kind.FOREIGN;
        }
        String mark = matcher.group(2);
        if (mark == null) {
            return Kind.HOLDER;
        }
        return mark.equals("released") ? Kind.RELEASED : Kind.REVOKED;
    }
}
