package io.leasehold.sample.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

/** What the user has configured is not started. */
class StoreTests {

    @Test
    void bothAreMissingIfNothingIsConfigured() {
        assertThat(Store.missing(new MockEnvironment())).containsExactly(Store.REDIS, Store.DATABASE);
    }

    @Test
    void anyPropertyOfRedisWillDo() {
        MockEnvironment environment = new MockEnvironment().withProperty("spring.data.redis.cluster.nodes", "a:1,b:2");

        assertThat(Store.missing(environment)).containsExactly(Store.DATABASE);
    }

    @Test
    void anEnvironmentVariableWillDo() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        "test-systemEnvironment", Map.of("SPRING_DATASOURCE_URL", "jdbc:h2:mem:own")));

        assertThat(Store.missing(environment)).containsExactly(Store.REDIS);
    }

    @Test
    void whereTheLocksAreSaysWhichRedisIsNeeded() {
        MockEnvironment environment = new MockEnvironment();

        assertThat(Store.missing(environment.withProperty("sample.servers.locks", "redlock")))
                .containsExactly(Store.REDLOCK, Store.DATABASE);
        assertThat(Store.missing(environment.withProperty("sample.servers.locks", "cluster")))
                .containsExactly(Store.CLUSTER, Store.DATABASE);
        assertThat(Store.missing(environment.withProperty("sample.servers.locks", "etcd")))
                .containsExactly(Store.DATABASE);
    }
}
