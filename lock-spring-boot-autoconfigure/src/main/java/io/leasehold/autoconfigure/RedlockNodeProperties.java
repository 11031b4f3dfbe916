package io.leasehold.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * One entry of {@code lock.redlock.nodes}.
 *
 * @param host Host of the server.
 * @param port Port of the server.
 * @param username User to log in as.
 * @param password Password of the user, or of the server.
 * @param persistsEveryWrite Whether the server runs with appendfsync always, so that it may vote right after a restart.
 * @param ssl Encryption.
 */
record RedlockNodeProperties(
        @Nullable String host,
        @DefaultValue("6379") int port,
        @Nullable String username,
        @Nullable String password,
        boolean persistsEveryWrite,
        @DefaultValue LockSslProperties ssl) {

    String name() {
        return host() + ":" + port;
    }

    boolean hasHost() {
        return StringUtils.hasText(host);
    }

    /** The properties without the password. */
    @Override
    public String toString() {
        return "RedlockNodeProperties[" + name() + ", username=" + username + ", ssl=" + ssl + "]";
    }
}
