package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockSslProperties;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** A Redis that only locks use. */
record RedisServerAddress(RedisStandaloneConfiguration server, LockSslProperties ssl) {

    private static final int DEFAULT_PORT = 6379;

    /**
     * The server that the properties name.
     *
     * @param property the prefix of these properties
     * @param properties a URL, or a host with its settings
     * @throws LockConfigurationException if the settings are invalid
     */
    static RedisServerAddress of(String property, RedisServerProperties properties) {
        String url = properties.url();
        return url != null ? atUrl(property, properties, url) : atHost(property, properties);
    }

    /** The properties that configure the Redis of all lockers, for messages. */
    static String setBy(RedisServerProperties properties) {
        if (properties.url() != null) {
            return "'lock.redis.url'";
        }
        if (properties.host() != null) {
            return "'lock.redis.host' and 'lock.redis.port'";
        }
        return properties.connectionFactory() == null
                ? "'spring.data.redis.*' or the RedisConnectionFactory bean of the application"
                : "the bean '" + properties.connectionFactory() + "'";
    }

    private static RedisServerAddress atHost(String property, RedisServerProperties properties) {
        RedisStandaloneConfiguration server = server(
                property,
                properties,
                Objects.requireNonNull(properties.host()),
                properties.port() == null ? DEFAULT_PORT : properties.port());
        if (properties.database() != null) {
            database(server, property + ".database", properties.database());
        }
        LockSslProperties ssl = properties.ssl();
        return new RedisServerAddress(server, ssl == null ? new LockSslProperties(null, null) : ssl);
    }

    private static RedisServerAddress atUrl(String property, RedisServerProperties properties, String text) {
        URI url = uri(property, text);
        refuse(property + ".port", properties.port(), property);
        refuse(property + ".database", properties.database(), property);
        RedisStandaloneConfiguration server =
                server(property, properties, url.getHost(), url.getPort() < 0 ? DEFAULT_PORT : url.getPort());
        if (url.getPath().length() > 1) {
            database(server, property + ".url", number(property, url.getPath().substring(1)));
        }
        if (url.getRawUserInfo() != null) {
            refuse(property + ".username", properties.username(), property);
            refuse(property + ".password", properties.password() == null ? null : "...", property);
            logIn(server, url.getRawUserInfo());
        }
        LockSslProperties ssl = properties.ssl();
        if (ssl != null) {
            refuse(property + ".ssl.enabled", ssl.enabled(), property);
        }
        boolean tls = url.getScheme().equals("rediss");
        if (!tls && ssl != null) {
            throw badUrl(property, "must begin with rediss:// to use an SSL bundle");
        }
        return new RedisServerAddress(server, new LockSslProperties(tls, ssl == null ? null : ssl.bundle()));
    }

    private static RedisStandaloneConfiguration server(
            String property, RedisServerProperties properties, String host, int port) {
        if (port < 1 || port > 65_535) {
            throw new LockConfigurationException(
                    property + ".port", port, "must be 1 to 65535", "Set it to the port of the server.");
        }
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(host, port);
        server.setUsername(properties.username());
        server.setPassword(properties.password());
        return server;
    }

    private static void database(RedisStandaloneConfiguration server, String property, int number) {
        if (number < 0) {
            throw new LockConfigurationException(
                    property, number, "must not be negative", "Set it to the number of a database, such as 0.");
        }
        server.setDatabase(number);
    }

    private static void logIn(RedisStandaloneConfiguration server, String userInfo) {
        int colon = userInfo.indexOf(':');
        String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
        if (!user.isEmpty()) {
            server.setUsername(decoded(user));
        }
        if (colon >= 0) {
            server.setPassword(decoded(userInfo.substring(colon + 1)));
        }
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static URI uri(String property, String text) {
        try {
            URI url = new URI(text);
            if (url.getHost() == null || !("redis".equals(url.getScheme()) || "rediss".equals(url.getScheme()))) {
                throw badUrl(property, "must be redis://host:port or rediss://host:port");
            }
            if (url.getRawQuery() != null || url.getRawFragment() != null) {
                throw badUrl(
                        property,
                        "must end with the number of the database, such as redis://host:6379/0, since nothing behind it"
                                + " is read");
            }
            return url;
        } catch (URISyntaxException ex) {
            throw badUrl(property, "must be a URL: " + ex.getReason());
        }
    }

    private static int number(String property, String path) {
        try {
            return Integer.parseInt(path);
        } catch (NumberFormatException ex) {
            throw badUrl(property, "must have the number of a database as path, such as redis://host:6379/0");
        }
    }

    /** Does not contain the URL, which may include a password. */
    private static LockConfigurationException badUrl(String property, String expectation) {
        return new LockConfigurationException(
                property + ".url",
                null,
                expectation,
                "Correct it; characters such as '/' and '@' in a password are written as %2F and %40.");
    }

    private static void refuse(String setting, @Nullable Object value, String property) {
        if (value != null) {
            throw new LockConfigurationException(
                    setting, value, "has no meaning with '" + property + ".url'", "Put it into the URL.");
        }
    }
}
