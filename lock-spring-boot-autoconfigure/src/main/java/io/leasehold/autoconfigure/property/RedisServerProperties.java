package io.leasehold.autoconfigure.property;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * The Redis of the locks: that of a connection factory, or a server that is named here and that only locks use.
 *
 * @param connectionFactory Name of the RedisConnectionFactory bean that the locks use.
 * @param url URL of a server that only locks use, such as redis://host:6379/0, or rediss for TLS. May have a login.
 * @param host Host of a server that only locks use, instead of a URL.
 * @param port Port of that server. By default, 6379.
 * @param username User to log in as.
 * @param password Password of the user, or of the server.
 * @param database Number of the database on that server. By default, 0.
 * @param ssl Encryption of the connections to that server.
 */
public record RedisServerProperties(
        @Nullable String connectionFactory,
        @Nullable String url,
        @Nullable String host,
        @Nullable Integer port,
        @Nullable String username,
        @Nullable String password,
        @Nullable Integer database,
        @NestedConfigurationProperty @Nullable LockSslProperties ssl) {

    public RedisServerProperties {
        connectionFactory = PropertyValue.orNull(connectionFactory);
        url = PropertyValue.orNull(url);
        host = PropertyValue.orNull(host);
        username = PropertyValue.orNull(username);
        password = PropertyValue.orNull(password);
    }

    /** Whether the server is named here. */
    public boolean isInline() {
        return url != null || host != null;
    }

    /**
     * Rejects settings that contradict each other or would be ignored.
     *
     * @param property the prefix of these properties
     */
    public void check(String property) {
        if (isInline() && connectionFactory != null) {
            throw new LockConfigurationException(
                    property + ".connection-factory",
                    connectionFactory,
                    "has no meaning with '" + property + (url != null ? ".url'" : ".host'"),
                    "Take one of the two out.");
        }
        if (url != null && host != null) {
            throw new LockConfigurationException(
                    property + ".host", host, "has no meaning with '" + property + ".url'", "Take one of the two out.");
        }
        Optional<String> withoutServer = serverSettings().findFirst();
        if (!isInline() && withoutServer.isPresent()) {
            throw new LockConfigurationException(
                    property + ".host",
                    null,
                    "must be set, since '" + property + "." + withoutServer.get() + "' is",
                    "Set the host of the Redis that only locks use. The application's own is configured under"
                            + " 'spring.data.redis'.");
        }
    }

    /** The properties without the password. */
    @Override
    public String toString() {
        return "RedisServerProperties[connectionFactory=" + connectionFactory + ", host=" + host + ", port=" + port
                + ", username=" + username + ", database=" + database + ", ssl=" + ssl + "]";
    }

    private Stream<String> serverSettings() {
        return Stream.of(
                        port == null ? "" : "port",
                        username == null ? "" : "username",
                        password == null ? "" : "password",
                        database == null ? "" : "database",
                        ssl == null ? "" : ssl.enabled() == null ? "ssl.bundle" : "ssl.enabled")
                .filter(name -> !name.isEmpty());
    }
}
