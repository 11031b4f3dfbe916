package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockSslProperties;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/** Creates clients for a Redis that only locks use. */
record LettuceClients(ObjectProvider<SslBundles> bundles) {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(2);

    LettuceClientConfiguration of(String property, LockSslProperties ssl) {
        String bundle = ssl.bundle();
        return of(
                ssl.isEnabled(),
                ssl.isEnabled() && bundle != null
                        ? LockSslProperties.find(bundles, property + ".ssl.bundle", bundle)
                        : null);
    }

    /** A client for a server that connection details name; with TLS if they have a bundle. */
    LettuceClientConfiguration of(@Nullable SslBundle bundle) {
        return of(bundle != null, bundle);
    }

    private static LettuceClientConfiguration of(boolean tls, @Nullable SslBundle bundle) {
        LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        ClientOptions.Builder options = ClientOptions.builder()
                .socketOptions(
                        SocketOptions.builder().connectTimeout(LONGEST_ANSWER).build());
        if (tls) {
            client.useSsl();
        }
        if (bundle != null) {
            options.sslOptions(options(bundle));
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
