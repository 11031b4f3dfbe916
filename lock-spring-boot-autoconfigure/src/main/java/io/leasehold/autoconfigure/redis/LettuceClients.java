package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockSslProperties;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * Creates clients for a Redis that only locks use.
 *
 * @param bundles the SSL bundles of the application
 */
record LettuceClients(ObjectProvider<SslBundles> bundles) {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(2);

    LettuceClientConfiguration of(String property, LockSslProperties ssl) {
        LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        ClientOptions.Builder options = ClientOptions.builder()
                .socketOptions(
                        SocketOptions.builder().connectTimeout(LONGEST_ANSWER).build());
        if (ssl.isEnabled()) {
            client.useSsl();
        }
        String bundle = ssl.bundle();
        if (ssl.isEnabled() && bundle != null) {
            options.sslOptions(options(LockSslProperties.find(bundles, property + ".ssl.bundle", bundle)));
        }
        return client.clientOptions(options.build())
                .commandTimeout(LONGEST_ANSWER)
                .build();
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
