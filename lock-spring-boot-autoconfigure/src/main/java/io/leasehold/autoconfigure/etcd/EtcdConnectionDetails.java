package io.leasehold.autoconfigure.etcd;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/**
 * The cluster of the etcd backend. A bean of this type replaces {@code lock.etcd.endpoints}, {@code lock.etcd.user},
 * {@code lock.etcd.password} and {@code lock.etcd.ssl.bundle}.
 */
public interface EtcdConnectionDetails extends ConnectionDetails {

    /**
     * Returns the client URLs of the cluster's members.
     *
     * @return URLs, all {@code http} or all {@code https}
     */
    List<URI> getEndpoints();

    /**
     * Returns the user to log in as.
     *
     * @return the user, {@code null} for none
     */
    default @Nullable String getUsername() {
        return null;
    }

    /**
     * Returns the password of the user.
     *
     * @return the password, {@code null} for none
     */
    default @Nullable String getPassword() {
        return null;
    }

    /**
     * Returns the trust and key material for TLS.
     *
     * @return a bundle, {@code null} for the trust store of Java or a bean of type {@code ChannelCredentials}
     */
    default @Nullable SslBundle getSslBundle() {
        return null;
    }
}
