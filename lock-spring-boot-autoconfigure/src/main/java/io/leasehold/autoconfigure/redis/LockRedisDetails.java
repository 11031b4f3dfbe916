package io.leasehold.autoconfigure.redis;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/**
 * The server of {@code DataRedisConnectionDetails}. Loaded only if that type is on the class path.
 *
 * @param server its address and login
 * @param bundle the trust and key material for TLS, {@code null} for none
 */
record LockRedisDetails(
        RedisStandaloneConfiguration server, @Nullable SslBundle bundle) {

    static LockRedisDetails read(ConfigurableListableBeanFactory beans, String bean) {
        DataRedisConnectionDetails details = beans.getBean(bean, DataRedisConnectionDetails.class);
        Standalone address = details.getStandalone();
        if (address == null) {
            throw new LockConfigurationException(
                    "lock.redis",
                    null,
                    "names a single server, and the connection details in the bean '" + bean + "' name none",
                    "Remove the server from 'lock.redis', so that locks use the connection factory of the application; or set"
                            + " 'lock.redis.connection-factory' to the name of another.");
        }
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(address.getHost(), address.getPort());
        server.setDatabase(address.getDatabase());
        server.setUsername(details.getUsername());
        server.setPassword(details.getPassword());
        return new LockRedisDetails(server, details.getSslBundle());
    }
}
