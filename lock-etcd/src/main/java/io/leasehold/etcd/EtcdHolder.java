package io.leasehold.etcd;

import com.google.protobuf.ByteString;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.Token;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key: what other processes can read about the holder. etcd has no clock that clients can read, so the
 * time is that of the holder's machine.
 *
 * @param kind whether the lock is held, released and retained, or revoked
 * @param since when the key was put or the lock was granted, {@code null} if unknown
 * @param name the name of the holder, {@code null} if unknown
 */
record EtcdHolder(
        Kind kind, @Nullable Instant since, @Nullable String name) {

    private static final String HELD = "held";

    private static final String RELEASED = "released";

    private static final String REVOKED = "revoked";

    /** Greater than the value of a holder or waiter, and less than any other. */
    static final ByteString AFTER_HELD = ByteString.copyFromUtf8("i");

    /** The value of a key that is put now. It is {@code held}, the time in milliseconds and the holder. */
    static ByteString held(Token token, InstantSource wallClock) {
        return value(HELD, wallClock.millis(), token.holder());
    }

    /** The value of a key whose holder has released the lock, and which is retained for some time. */
    static ByteString released(Token token) {
        return value(RELEASED, 0, token.holder());
    }

    /** The value of a key whose holder may no longer renew the lock. */
    ByteString revoked() {
        return value(REVOKED, since == null ? 0 : since.toEpochMilli(), name);
    }

    /** The answer to a renewal of a key with this value; {@code null} if its holder may renew it. */
    @Nullable
    RenewAnswer refusal() {
        return switch (kind) {
            case HOLDER, FOREIGN -> null;
            case RELEASED -> RenewAnswer.NOT_OWNER;
            case REVOKED -> RenewAnswer.REVOKED;
        };
    }

    private static ByteString value(String kind, long millis, @Nullable String name) {
        return ByteString.copyFromUtf8(kind + ' ' + millis + ' ' + (name == null ? "" : name));
    }

    /** Reads a value. One that an older version or another client has written has neither time nor name. */
    static EtcdHolder parse(ByteString value) {
        String[] parts = value.toStringUtf8().split(" ", 3);
        if (parts.length < 3 || !parts[1].matches("[0-9]{1,15}")) {
            return new EtcdHolder(Kind.HOLDER, null, null);
        }
        long millis = Long.parseLong(parts[1]);
        return new EtcdHolder(
                switch (parts[0]) {
                    case RELEASED -> Kind.RELEASED;
                    case REVOKED -> Kind.REVOKED;
                    default -> Kind.HOLDER;
                },
                millis == 0 ? null : Instant.ofEpochMilli(millis),
                parts[2].isEmpty() ? null : parts[2]);
    }
}
