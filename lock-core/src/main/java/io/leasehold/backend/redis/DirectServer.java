package io.leasehold.backend.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateAdapter;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Opens direct connections to where the connection that all share has been led to, whoever chose that server. The process
 * that answers has to be the same: a proxy may lead the next connection to another.
 */
final class DirectServer extends RedisConnectionStateAdapter implements Callable<DirectConnection> {

    private static final Pattern RUN_ID = Pattern.compile("run_id:(\\w+)");

    private final DirectLogin login;

    private final Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> shared;

    private volatile @Nullable SocketAddress address;

    DirectServer(DirectLogin login, Supplier<@Nullable StatefulRedisConnection<byte[], byte[]>> shared) {
        this.login = login;
        this.shared = shared;
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        if (connection instanceof StatefulRedisConnection<?, ?>
                && !(connection instanceof StatefulRedisPubSubConnection<?, ?>)) {
            this.address = address;
        }
    }

    @Override
    public DirectConnection call() throws IOException {
        SocketAddress to = address;
        StatefulRedisConnection<byte[], byte[]> beside = shared.get();
        if (to == null || beside == null) {
            throw new IOException("the shared connection is not open");
        }
        DirectConnection connection = DirectConnection.to(to);
        try {
            login.on(connection);
            String here = DirectLogin.ask(
                    connection, CommandType.INFO, DirectLogin.arguments().add("server"));
            if (!runId(here).equals(runId(beside.sync().info("server")))) {
                throw new IOException("another server answered at " + to);
            }
            return connection;
        } catch (IOException | RuntimeException ex) {
            connection.close();
            throw ex;
        }
    }

    private static String runId(String info) throws IOException {
        Matcher found = RUN_ID.matcher(info);
        if (!found.find()) {
            throw new IOException("the server does not say which process it is");
        }
        return found.group(1);
    }
}
