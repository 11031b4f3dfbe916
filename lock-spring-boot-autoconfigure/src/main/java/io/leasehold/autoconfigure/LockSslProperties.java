package io.leasehold.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * Encryption of the connections to a store.
 *
 * @param enabled Whether to use TLS. By default if a bundle is named.
 * @param bundle Name of the SSL bundle that says what to trust and to show.
 */
record LockSslProperties(
        @Nullable Boolean enabled, @Nullable String bundle) {

    boolean isEnabled() {
        return enabled == null ? bundle != null : enabled;
    }
}
