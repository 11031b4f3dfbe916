package io.leasehold.redis.lettuce;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one client outside of clusters. Each of them leads to the server that was the master when it was
 * opened. A master that was demoted by hand, that returned as a replica, or that sentinels replaced while they could
 * not reach it, may keep its connections, and the client would use it forever. After a close the client reconnects
 * automatically, and first asks Sentinel or the name service for the master.
 */
final class MasterLookup {

    private static final long RECENT_SECONDS = 2;

    private final Map<StatefulConnection<?, ?>, Lookup> lookups = new ConcurrentHashMap<>();

    /**
     * Adds a connection that was just opened.
     *
     * @param quit asks the server to close it
     */
    void add(StatefulConnection<?, ?> connection, Supplier<CompletionStage<?>> quit) {
        Lookup lookup = new Lookup(connection, quit);
        lookups.put(connection, lookup);
        connection.addListener(lookup);
        lookup.opened();
    }

    /** Whether the connection was opened within the last two seconds, to the server that was the master then. */
    boolean isRecent(StatefulConnection<?, ?> connection) {
        Lookup lookup = lookups.get(connection);
        return lookup != null && lookup.recent;
    }

    /**
     * Closes the connections that are not recent. The recent ones follow when they are not recent any more, if a server
     * has answered that it is a replica: they may lead to the same server, which nothing else would show.
     *
     * @param toReplica a connection whose server has answered that it is a replica, closed in any case
     */
    void renew(@Nullable StatefulConnection<?, ?> toReplica) {
        lookups.forEach((connection, lookup) -> {
            if (toReplica != null) {
                // before it is read whether the connection is recent, which may end meanwhile
                lookup.leavesWhenNotRecent = true;
            }
            if (connection == toReplica || !lookup.recent) {
                lookup.leave();
            }
        });
    }

    /** One connection, and whether its address was looked up recently. */
    private static final class Lookup implements RedisConnectionStateListener {

        private final StatefulConnection<?, ?> connection;

        private final Supplier<CompletionStage<?>> quit;

        private final AtomicInteger times = new AtomicInteger();

        private final AtomicBoolean leaving = new AtomicBoolean();

        private volatile boolean recent;

        private volatile boolean leavesWhenNotRecent;

        Lookup(StatefulConnection<?, ?> connection, Supplier<CompletionStage<?>> quit) {
            this.connection = connection;
            this.quit = quit;
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress server) {
            opened();
        }

        void opened() {
            int time = times.incrementAndGet();
            leavesWhenNotRecent = false;
            recent = true;
            connection
                    .getResources()
                    .eventExecutorGroup()
                    .schedule(() -> expire(time), RECENT_SECONDS, TimeUnit.SECONDS);
        }

        void leave() {
            // without a connection, the command would wait for the next one and close it
            if (connection.isOpen() && leaving.compareAndSet(false, true)) {
                quit.get().whenComplete((answer, refused) -> leaving.set(false));
            }
        }

        private void expire(int time) {
            if (times.get() == time) {
                recent = false;
                if (leavesWhenNotRecent) {
                    leave();
                }
            }
        }
    }
}
