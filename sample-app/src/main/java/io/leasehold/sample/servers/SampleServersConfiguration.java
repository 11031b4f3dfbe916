package io.leasehold.sample.servers;

import io.leasehold.servers.database.H2Server;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** Joins the sample's servers for what {@code spring.data.redis.*} or {@code spring.datasource.*} leave open. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SampleServersProperties.class)
class SampleServersConfiguration {

    @Bean
    @Conditional(OnMissingStore.Any.class)
    SampleServers sampleServers(SampleServersProperties properties, Environment environment) {
        ServersDirectory directory = ServersDirectory.at(properties.directoryOrDefault());
        return new ServerLauncher(directory, properties.linger()).join(Store.missing(environment));
    }

    @Bean
    @Conditional(OnMissingStore.Redis.class)
    DataRedisConnectionDetails sampleRedis(SampleServers servers) {
        return new SampleRedis(servers.redisPorts().get(0));
    }

    @Bean
    @Conditional(OnMissingStore.Cluster.class)
    DataRedisConnectionDetails sampleCluster(SampleServers servers) {
        return new SampleCluster(servers.redisPorts());
    }

    @Bean
    @Conditional(OnMissingStore.Redlock.class)
    static RedisPorts redisPorts(ObjectProvider<SampleServers> servers, ConfigurableEnvironment environment) {
        return new RedisPorts(servers, environment);
    }

    @Bean
    @Conditional(OnMissingStore.Database.class)
    JdbcConnectionDetails sampleDatabase(SampleServers servers) {
        return new SampleDatabase(servers.databasePort(), servers.secret());
    }

    private record SampleRedis(int port) implements DataRedisConnectionDetails {

        @Override
        public Standalone getStandalone() {
            return Standalone.of("127.0.0.1", port);
        }
    }

    private record SampleCluster(List<Integer> ports) implements DataRedisConnectionDetails {

        @Override
        public Cluster getCluster() {
            return () -> ports.stream().map(port -> new Node("127.0.0.1", port)).toList();
        }
    }

    private record SampleDatabase(int port, String secret) implements JdbcConnectionDetails {

        @Override
        public String getUsername() {
            return H2Server.USER;
        }

        @Override
        public String getPassword() {
            return secret;
        }

        @Override
        public String getJdbcUrl() {
            return H2Server.url(port);
        }
    }
}
