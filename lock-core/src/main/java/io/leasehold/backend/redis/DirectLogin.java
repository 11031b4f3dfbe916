package io.leasehold.backend.redis;

import io.lettuce.core.codec.ByteArrayCodec;
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

    /** Logs in. */
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
    }

    static String ask(DirectConnection connection, CommandType what, CommandArgs<byte[], byte[]> arguments)
            throws IOException {
        Command<byte[], byte[], String> command =
                new Command<>(what, new StatusOutput<>(ByteArrayCodec.INSTANCE), arguments);
        connection.exchange(List.of(command), LONGEST_ANSWER, false);
        if (command.getOutput().hasError()) {
            throw new IOException(command.getOutput().getError());
        }
        return command.getOutput().get();
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
