package io.leasehold.autoconfigure.property;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * Encryption of the connections to a store.
 *
 * @param enabled Whether to use TLS. By default, true if a bundle is named.
 * @param bundle Name of the SSL bundle with the trust and key material.
 */
public record LockSslProperties(
        @Nullable Boolean enabled, @Nullable String bundle) {

    public boolean isEnabled() {
        return enabled == null ? bundle != null : enabled;
    }

    /** Finds the SSL bundle that a property names. */
    public static SslBundle find(ObjectProvider<SslBundles> bundles, String property, String name) {
        try {
            return bundles.getObject().getBundle(name);
        } catch (BeansException | NoSuchSslBundleException ex) {
            throw new LockConfigurationException(
                    property,
                    name,
                    "must be the name of an SSL bundle",
                    "Define the bundle under 'spring.ssl.bundle', or correct the name.");
        }
    }
}
