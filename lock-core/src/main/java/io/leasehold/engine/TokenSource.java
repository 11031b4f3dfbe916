package io.leasehold.engine;

import io.leasehold.spi.Instance;
import io.leasehold.spi.Token;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Draws tokens from a secure random generator, many at a time because each draw is expensive. */
final class TokenSource {

    private static final int TOKENS_PER_DRAW = 256;

    private final Random random;

    private final Supplier<String> instanceName;

    private final byte[] drawn = new byte[TOKENS_PER_DRAW * 2 * Long.BYTES];

    private volatile Instance instance;

    private final ByteBuffer buffer = ByteBuffer.wrap(drawn).limit(0);

    TokenSource() {
        this(new SecureRandom());
    }

    /** Creates a source for an instance with a name. */
    TokenSource(Supplier<String> instanceName) {
        this(new SecureRandom(), instanceName);
    }

    /** Creates a source with another generator, for reproducible tests. */
    TokenSource(Random random) {
        this(random, () -> "process " + ProcessHandle.current().pid());
    }

    private TokenSource(Random random, Supplier<String> instanceName) {
        this.random = random;
        this.instanceName = instanceName;
        this.instance = new Instance(random.nextLong(), instanceName.get());
    }

    /** The instance of all tokens of this source. */
    Instance instance() {
        return instance;
    }

    /**
     * Forgets what was drawn, and becomes another instance. Processes that are restored from one checkpoint would otherwise
     * have the same tokens, and the name of a process on another host.
     */
    void renew() {
        // the name may need a look-up of the host, for which no caller should wait
        String name = instanceName.get();
        synchronized (this) {
            buffer.position(0).limit(0);
            instance = new Instance(random.nextLong(), name);
        }
    }

    /** Draws the token of a lease that a thread requests, {@code null} for an asynchronous caller. */
    synchronized Token next(@Nullable Thread thread) {
        if (!buffer.hasRemaining()) {
            random.nextBytes(drawn);
            buffer.clear();
        }
        return new Token(buffer.getLong(), buffer.getLong(), instance, thread == null ? 0 : thread.getId());
    }
}
