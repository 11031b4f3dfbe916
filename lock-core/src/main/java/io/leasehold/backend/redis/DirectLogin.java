package io.leasehold.backend.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Who logs in on a direct connection, and which database is chosen there.
 *
 * @param username the user; {@code null} for the default one
 * @param password the password, if there is one
 * @param database number of the database
 */
record DirectLogin(@Nullable String username, RedisPassword password, int database) {

    private static final Duration LONGEST_ANSWER = LockClientSettings.CONNECT_TIMEOUT;

    /** As a factory logs in; {@code null} if that takes more than a name and a password over plain TCP. */
    static @Nullable DirectLogin of(LettuceConnectionFactory factory) {
        LettuceClientConfiguration client = factory.getClientConfiguration();
        boolean isPlain = !client.isUseSsl()
                && client.getRedisCredentialsProviderFactory().isEmpty()
                && factory.getSocketConfiguration() == null
                && !factory.isClusterAware();
        if (!isPlain) {
            return null;
        }
        RedisConfiguration server = factory.getSentinelConfiguration();
        if (server == null) {
            server = factory.getStandaloneConfiguration();
        }
        return new DirectLogin(
                server instanceof RedisConfiguration.WithAuthentication login ? login.getUsername() : null,
                RedisConfiguration.getPasswordOrElse(server, RedisPassword::none),
                factory.getDatabase());
    }

    /** Logs in, under the name that the shared connection has as well; a user who may not have a name has none. */
    void on(DirectConnection connection) throws IOException {
        if (password.isPresent()) {
            CommandArgs<byte[], byte[]> login = arguments();
            if (username != null) {
                login.add(username);
            }
            ask(connection, CommandType.AUTH, login.add(password.get()));
        }
        if (database != 0) {
            ask(connection, CommandType.SELECT, arguments().add(database));
        }
        send(connection, CommandType.CLIENT, arguments().add("SETNAME").add(LockClientConfiguration.NAME));
    }

    static String ask(DirectConnection connection, CommandType what, CommandArgs<byte[], byte[]> arguments)
            throws IOException {
        CommandOutput<byte[], byte[], String> answer = send(connection, what, arguments);
        if (answer.hasError()) {
            throw new IOException(answer.getError());
        }
        return answer.get();
    }

    private static CommandOutput<byte[], byte[], String> send(
            DirectConnection connection, CommandType what, CommandArgs<byte[], byte[]> arguments) throws IOException {
        CommandOutput<byte[], byte[], String> answer = new StatusOutput<>(ByteArrayCodec.INSTANCE);
        connection.exchange(List.of(new Command<>(what, answer, arguments)), LONGEST_ANSWER, false);
        return answer;
    }

    static CommandArgs<byte[], byte[]> arguments() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE);
    }

    /** The user, without the password. */
    @Override
    public String toString() {
        return "DirectLogin[" + username + ", " + database + "]";
    }
}
