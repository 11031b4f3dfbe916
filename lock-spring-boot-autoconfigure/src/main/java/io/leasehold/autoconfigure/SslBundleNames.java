package io.leasehold.autoconfigure;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Finds the SSL bundle that a property names. */
final class SslBundleNames {

    private SslBundleNames() {}

    static SslBundle find(ObjectProvider<SslBundles> bundles, String property, String name) {
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
