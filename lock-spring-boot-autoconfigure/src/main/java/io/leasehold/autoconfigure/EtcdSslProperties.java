package io.leasehold.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * Encryption of the connections to etcd, which the scheme of its endpoints switches on.
 *
 * @param bundle Name of the SSL bundle that says what to trust and to show. By default what Java trusts, and nothing.
 */
record EtcdSslProperties(@Nullable String bundle) {}
