package io.leasehold.etcd;

import io.grpc.ChannelCredentials;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an etcd cluster, and where in it the locks are stored.
 *
 * <p>Start with {@link #of(URI...)} and add further options as needed.
 *
 * @param endpoints client URLs of one cluster's members, all {@code http} or all {@code https}. One is used at a time,
 *     and the next one after it has failed
 * @param keyPrefix the prefix of all keys, so that a role can be limited to it: names of letters, digits, {@code .},
 *     {@code _} and {@code -}, each followed by a slash
 * @param user the user's name, if authentication is enabled in etcd; requires {@code password}
 * @param password the user's password
 * @param tls the trusted certificates and the client certificate; if {@code null}, {@code https} trusts the
 *     certificates that Java trusts
 */
public record EtcdOptions(
        List<URI> endpoints,
        String keyPrefix,
        @Nullable String user,
        @Nullable String password,
        @Nullable ChannelCredentials tls) {

    /** The default key prefix. */
    public static final String DEFAULT_KEY_PREFIX = "leasehold/";

    private static final Pattern KEY_PREFIX = Pattern.compile("(?:[A-Za-z0-9._-]+/)+");

    private static final Set<String> SCHEMES = Set.of("http", "https");

    /** Validates the options. */
    public EtcdOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("'endpoints' must name at least one member of the cluster");
        }
        endpoints.forEach(EtcdOptions::requireEndpoint);
        if (endpoints.stream().map(URI::getScheme).distinct().count() > 1) {
            throw new IllegalArgumentException("'endpoints' must be all http or all https: " + endpoints);
        }
        if (Set.copyOf(endpoints).size() < endpoints.size()) {
            throw new IllegalArgumentException("'endpoints' must differ from each other: " + endpoints);
        }
        if (!KEY_PREFIX.matcher(keyPrefix).matches()) {
            throw new IllegalArgumentException("'keyPrefix' must consist of names of letters, digits and '.', '_', '-',"
                    + " each followed by '/': '" + keyPrefix + "'");
        }
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException("'user' and 'password' must be given together: user '" + user + "'");
        }
        if (tls != null && "http".equals(endpoints.get(0).getScheme())) {
            throw new IllegalArgumentException("'tls' needs https endpoints: " + endpoints);
        }
    }

    /**
     * Creates options for a cluster without authentication.
     *
     * @param endpoints client URLs of the cluster's members
     */
    public static EtcdOptions of(URI... endpoints) {
        return new EtcdOptions(List.of(endpoints), DEFAULT_KEY_PREFIX, null, null, null);
    }

    /**
     * Returns these options with another key prefix.
     *
     * @param prefix the prefix of all keys
     */
    public EtcdOptions withKeyPrefix(String prefix) {
        return new EtcdOptions(endpoints, prefix, user, password, tls);
    }

    /** Returns these options with a user and its password. */
    public EtcdOptions withUser(String name, String secret) {
        return new EtcdOptions(endpoints, keyPrefix, name, secret, tls);
    }

    /**
     * Returns these options with TLS credentials.
     *
     * @param credentials the credentials, such as {@link io.grpc.TlsChannelCredentials}
     */
    public EtcdOptions withTls(ChannelCredentials credentials) {
        return new EtcdOptions(endpoints, keyPrefix, user, password, credentials);
    }

    private static void requireEndpoint(URI endpoint) {
        if (!SCHEMES.contains(Objects.requireNonNullElse(endpoint.getScheme(), ""))
                || endpoint.getHost() == null
                || endpoint.getPort() < 0
                || endpoint.getUserInfo() != null
                || !Set.of("", "/").contains(Objects.requireNonNullElse(endpoint.getPath(), ""))) {
            throw new IllegalArgumentException("'endpoints' must look like https://host:2379: '"
                    + endpoint.toString().replaceFirst("(?s)^(\\w+://)?.*@", "$1***@") + "'");
        }
    }

    /** Describes the options without the password. */
    @Override
    public String toString() {
        return "EtcdOptions[endpoints=" + endpoints + ", keyPrefix=" + keyPrefix + ", user=" + user + ", tls="
                + (tls == null ? "default" : "given") + "]";
    }
}
