package io.leasehold.autoconfigure;

import io.etcd.jetcd.api.KVGrpc;
import io.grpc.ChannelCredentials;
import io.leasehold.backend.etcd.EtcdLockBackend;
import io.leasehold.backend.etcd.EtcdOptions;
import io.leasehold.spi.LockBackend;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The {@code etcd} backend, if its client is there. A bean of type {@link ChannelCredentials}, if
 * there is one, says what TLS trusts and shows.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(KVGrpc.class)
@EnableConfigurationProperties(EtcdLockProperties.class)
class EtcdLockBackendConfiguration {

    @Bean
    EtcdLockBackendFactory etcdLockBackendFactory(
            EtcdLockProperties properties, ObjectProvider<ChannelCredentials> credentials) {
        return new EtcdLockBackendFactory(properties, credentials);
    }

    record EtcdLockBackendFactory(EtcdLockProperties properties, ObjectProvider<ChannelCredentials> credentials)
            implements LockBackendFactory {

        @Override
        public String backend() {
            return KnownBackend.ETCD.backend();
        }

        @Override
        public LockBackend create() {
            if (properties.endpoints().isEmpty()) {
                throw new LockConfigurationException(
                        "lock.etcd.endpoints",
                        null,
                        "must be set",
                        "Set it to the client URLs of the cluster's members, such as http://localhost:2379.");
            }
            return new EtcdLockBackend(
                    LockConfigurationException.refusing("lock.etcd", this::options), StoreClock::nanos);
        }

        private EtcdOptions options() {
            EtcdOptions options = properties.options();
            ChannelCredentials tls = credentials.getIfUnique();
            return tls == null ? options : options.withTls(tls);
        }
    }
}
