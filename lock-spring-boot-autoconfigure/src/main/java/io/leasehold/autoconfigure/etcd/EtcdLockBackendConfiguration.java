package io.leasehold.autoconfigure.etcd;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettySslContextChannelCredentials;
import io.leasehold.autoconfigure.backend.BackendType;
import io.leasehold.autoconfigure.backend.LockBackendFactory;
import io.leasehold.autoconfigure.backend.StoreClock;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockSslProperties;
import io.leasehold.etcd.EtcdLockBackend;
import io.leasehold.etcd.EtcdOptions;
import io.leasehold.spi.LockBackend;
import io.netty.handler.ssl.SslContextBuilder;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The {@code etcd} backend, if {@code lock-etcd} is on the class path. An SSL bundle or a bean of type
 * {@link ChannelCredentials} provides the trust and key material for TLS.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(EtcdLockBackend.class)
@EnableConfigurationProperties(EtcdLockProperties.class)
public class EtcdLockBackendConfiguration {

    @Bean
    EtcdLockBackendFactory leaseholdEtcdBackendFactory(
            EtcdLockProperties properties,
            ObjectProvider<EtcdConnectionDetails> details,
            ObjectProvider<ChannelCredentials> credentials,
            ObjectProvider<SslBundles> bundles) {
        return new EtcdLockBackendFactory(properties, details.getIfAvailable(), credentials, bundles);
    }

    record EtcdLockBackendFactory(
            EtcdLockProperties properties,
            @Nullable EtcdConnectionDetails details,
            ObjectProvider<ChannelCredentials> credentials,
            ObjectProvider<SslBundles> bundles)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return BackendType.ETCD.backend();
        }

        @Override
        public boolean isConfigured() {
            return details != null || !properties.endpoints().isEmpty();
        }

        @Override
        public String setBy() {
            return details == null
                    ? "'lock.etcd.endpoints' as " + properties.endpoints()
                    : "the EtcdConnectionDetails bean as " + details.getEndpoints();
        }

        @Override
        public LockBackend create() {
            if (details == null && properties.endpoints().isEmpty()) {
                throw new LockConfigurationException(
                        "lock.etcd.endpoints",
                        null,
                        "must be set",
                        "Set it to the client URLs of the cluster's members, such as http://localhost:2379.");
            }
            return new EtcdLockBackend(
                    LockConfigurationException.refusing("lock.etcd", this::options),
                    StoreClock::nanos,
                    StoreClock.wall());
        }

        private EtcdOptions options() {
            EtcdOptions options = details == null
                    ? properties.options()
                    : new EtcdOptions(
                            details.getEndpoints(),
                            properties.keyPrefix(),
                            details.getUsername(),
                            details.getPassword(),
                            null);
            boolean https = "https".equals(options.endpoints().get(0).getScheme());
            ChannelCredentials tls = ofBundle();
            if (details == null && tls != null && !https) {
                throw new LockConfigurationException(
                        "lock.etcd.ssl.bundle",
                        bundleName(),
                        "needs https endpoints",
                        "Write 'https://' in 'lock.etcd.endpoints', or take the bundle out.");
            }
            if (tls == null && https) {
                tls = credentials.getIfUnique();
            }
            return tls == null ? options : options.withTls(tls);
        }

        private @Nullable ChannelCredentials ofBundle() {
            SslBundle bundle = bundle();
            if (bundle == null) {
                return null;
            }
            SslManagerBundle managers = bundle.getManagers();
            SslOptions options = bundle.getOptions();
            return options.getCiphers() == null && options.getEnabledProtocols() == null
                    ? TlsChannelCredentials.newBuilder()
                            .keyManager(managers.getKeyManagers())
                            .trustManager(managers.getTrustManagers())
                            .build()
                    : RestrictedTls.of(managers, options);
        }

        private @Nullable String bundleName() {
            return properties.ssl() == null ? null : properties.ssl().bundle();
        }

        private @Nullable SslBundle bundle() {
            if (details != null) {
                return details.getSslBundle();
            }
            String name = bundleName();
            return name == null ? null : LockSslProperties.find(bundles, "lock.etcd.ssl.bundle", name);
        }
    }

    /** Credentials that also restrict the ciphers and protocols, which only the transport of Netty has. */
    private static final class RestrictedTls {

        static ChannelCredentials of(SslManagerBundle managers, SslOptions options) {
            SslContextBuilder context = GrpcSslContexts.forClient()
                    .keyManager(managers.getKeyManagerFactory())
                    .trustManager(managers.getTrustManagerFactory());
            if (options.getCiphers() != null) {
                context.ciphers(List.of(options.getCiphers()));
            }
            if (options.getEnabledProtocols() != null) {
                context.protocols(options.getEnabledProtocols());
            }
            try {
                return NettySslContextChannelCredentials.create(context.build());
            } catch (SSLException ex) {
                throw new IllegalArgumentException("'ssl.bundle' cannot be used: " + ex.getMessage(), ex);
            }
        }
    }
}
