package io.leasehold.autoconfigure.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.ssl.SslBundle;

/** The servers of the redlock backend. A bean of this type replaces {@code lock.redlock.nodes}. */
public interface RedlockConnectionDetails extends ConnectionDetails {

    /**
     * Returns the servers, an odd number of at least three, the same for all instances.
     *
     * @return independent Redis servers
     */
    List<Node> getNodes();

    /** One server. */
    interface Node {

        /**
         * Returns the host.
         *
         * @return a name or an address
         */
        String getHost();

        /**
         * Returns the port.
         *
         * @return a port
         */
        default int getPort() {
            return 6379;
        }

        /**
         * Returns the user.
         *
         * @return the user, {@code null} for the default user
         */
        default @Nullable String getUsername() {
            return null;
        }

        /**
         * Returns the password of the user, or of the server.
         *
         * @return the password, {@code null} for none
         */
        default @Nullable String getPassword() {
            return null;
        }

        /**
         * Returns the trust and key material for TLS.
         *
         * @return a bundle, {@code null} for a connection without TLS
         */
        default @Nullable SslBundle getSslBundle() {
            return null;
        }

        /**
         * Returns whether the server runs with {@code appendonly yes}, {@code appendfsync always} and
         * {@code no-appendfsync-on-rewrite no}.
         *
         * @return whether it may vote directly after a restart
         */
        default boolean persistsEveryWrite() {
            return false;
        }

        /** Creates a node without login and TLS. */
        static Node of(String host, int port) {
            return new Node() {

                @Override
                public String getHost() {
                    return host;
                }

                @Override
                public int getPort() {
                    return port;
                }
            };
        }
    }
}
