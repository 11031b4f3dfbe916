package io.leasehold.backend.redis;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How the backend is connected to Redis by one kind of client. */
interface RedisLink extends AutoCloseable {

    ScriptRunner scripts();

    /** Where waiting callers hear of their turns, if it is open already. */
    @Nullable
    Turns turns();

    /** Opens {@link #turns()}; ends with {@code null} if this client has no such thing, or if it cannot be opened now. */
    CompletableFuture<@Nullable Turns> openTurns();

    boolean isCluster();

    @Override
    void close();
}
