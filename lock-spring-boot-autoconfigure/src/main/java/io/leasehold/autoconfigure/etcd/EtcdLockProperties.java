package io.leasehold.autoconfigure.etcd;

import io.leasehold.etcd.EtcdOptions;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The etcd backend.
 *
 * @param endpoints Client URLs of the members of one cluster, all http or all https.
 * @param keyPrefix Prefix of all keys, which consists of names that are each followed by a slash.
 * @param user User to log in as. Requires a password.
 * @param password Password of the user.
 * @param ssl Encryption of the connections to etcd.
 */
@ConfigurationProperties(prefix = "lock.etcd", ignoreUnknownFields = false)
record EtcdLockProperties(
        @DefaultValue List<URI> endpoints,
        @DefaultValue(EtcdOptions.DEFAULT_KEY_PREFIX) String keyPrefix,
        @Nullable String user,
        @Nullable String password,
        @NestedConfigurationProperty @Nullable Ssl ssl) {

    EtcdOptions options() {
        return new EtcdOptions(endpoints, keyPrefix, user, password, null);
    }

    /** The properties without the password. */
    @Override
    public String toString() {
        return "EtcdLockProperties[endpoints=" + endpoints + ", keyPrefix=" + keyPrefix + ", user=" + user + "]";
    }

    /**
     * Encryption of the connections to etcd. The https scheme of the endpoints enables it.
     *
     * @param bundle Name of the SSL bundle with the trust and key material. By default, the trust store of Java without
     *     a client certificate.
     */
    record Ssl(@Nullable String bundle) {}
}
