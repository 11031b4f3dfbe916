package io.leasehold.autoconfigure;

import io.leasehold.backend.redis.RedisLockOptions;
import io.leasehold.backend.redis.RedisQuorumNode;
import io.leasehold.backend.redlock.RedlockNode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Makes the nodes of the redlock backend, each with a client of its own.
 *
 * @param bundles where SSL bundles are found
 */
record RedlockNodes(ObjectProvider<SslBundles> bundles) {

    RedlockNode create(String property, RedlockNodeProperties properties) {
        if (!properties.hasHost()) {
            throw new LockConfigurationException(
                    property + ".host", null, "must be set", "Set it to the host of one of the Redis servers.");
        }
        return new RedlockNode(
                properties.name(),
                RedisQuorumNode.of(
                        server(properties),
                        client(property, properties.ssl()),
                        RedisLockOptions.defaults(),
                        properties.persistsEveryWrite()));
    }

    private static RedisStandaloneConfiguration server(RedlockNodeProperties properties) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration();
        server.setHostName(String.valueOf(properties.host()));
        server.setPort(properties.port());
        server.setUsername(properties.username());
        server.setPassword(properties.password());
        return server;
    }

    private LettuceClientConfiguration client(String property, RedlockSslProperties ssl) {
        LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        if (ssl.isEnabled()) {
            client.useSsl();
        }
        String bundle = ssl.bundle();
        if (ssl.isEnabled() && bundle != null) {
            SslOptions options = options(bundle(property, bundle));
            client.clientOptions(ClientOptions.builder().sslOptions(options).build());
        }
        return client.build();
    }

    private SslBundle bundle(String property, String name) {
        try {
            return bundles.getObject().getBundle(name);
        } catch (BeansException | NoSuchSslBundleException ex) {
            throw new LockConfigurationException(
                    property + ".ssl.bundle",
                    name,
                    "must be the name of an SSL bundle",
                    "Define the bundle under 'spring.ssl.bundle', or correct the name.");
        }
    }

    private static SslOptions options(SslBundle bundle) {
        SslOptions.Builder options = SslOptions.builder();
        options.keyManager(bundle.getManagers().getKeyManagerFactory());
        options.trustManager(bundle.getManagers().getTrustManagerFactory());
        if (bundle.getOptions().getCiphers() != null) {
            options.cipherSuites(bundle.getOptions().getCiphers());
        }
        if (bundle.getOptions().getEnabledProtocols() != null) {
            options.protocols(bundle.getOptions().getEnabledProtocols());
        }
        return options.build();
    }
}
