package io.leasehold.autoconfigure.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import io.leasehold.memory.MemoryLockBackend;
import io.leasehold.spi.LockBackend;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The store of lockers that name none. */
class StoreChoiceTests {

    /** An application with the starter: Boot defines a connection factory, whether there is a Redis or not. */
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.ttl=10s");

    @Test
    void theOnlyStoreOfTheApplicationIsTaken() {
        assertThat(choice(runner.withBean("ownStore", LockBackend.class, StoreChoiceTests::memory)))
                .isEqualTo("ownStore");
    }

    /** The bean may be a Redis for locks beside that of the cache, and the library's own store would use the latter. */
    @ParameterizedTest
    @ValueSource(strings = {"lock.backend=redis", "lock.backend=", "spring.data.redis.host=localhost"})
    void aStoreOfTheApplicationWithTheNameOfOneOfTheLibraryIsRefused(String property) {
        FailureAnalysis analysis =
                StartFailures.of(runner.withBean("redis", LockBackend.class, StoreChoiceTests::memory)
                        .withPropertyValues(property));
        assertThat(analysis.getDescription())
                .startsWith("'lock.backend' cannot select a store: 'redis' is the name of a bean of type LockBackend");
        assertThat(analysis.getAction()).contains("Rename the bean");
    }

    @Test
    void aBeanThatIsNoStoreIsNotTaken() {
        FailureAnalysis analysis = StartFailures.of(
                runner.withBean("orders", String.class, () -> "orders").withPropertyValues("lock.backend=orders"));
        assertThat(analysis.getDescription()).startsWith("'lock.backend' must be a store that is there, one of [");
    }

    @Test
    void aRedisThatNobodyConfiguredIsNotTaken() {
        FailureAnalysis analysis = StartFailures.of(runner);
        assertThat(analysis.getDescription())
                .startsWith("'lock.backend' must be set, since no store is configured in which to keep locks");
        assertThat(analysis.getAction())
                .contains("spring.data.redis.host")
                .contains("lock.backend=redis")
                .contains("memory");
    }

    @Test
    void aRedisThatIsNamedIsTakenWhereverItIs() {
        assertThat(choice(runner.withPropertyValues("lock.backend=redis"))).isEqualTo("redis");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.host=localhost",
                "spring.data.redis.port=6379",
                "spring.data.redis.url=redis://localhost:6379",
                "spring.data.redis.sentinel.master=a",
                "spring.data.redis.cluster.nodes=localhost:7000",
                "spring.data.redis.masterreplica.nodes=localhost:7000",
                "lock.redis.host=localhost",
                "lock.redis.connection-factory=redisConnectionFactory"
            })
    void aRedisWhoseAddressIsConfiguredIsTaken(String property) {
        ApplicationContextRunner configured = runner.withPropertyValues(property);
        if (property.contains("sentinel")) {
            configured = configured.withPropertyValues("spring.data.redis.sentinel.nodes=localhost:26379");
        }
        assertThat(choice(configured)).isEqualTo("redis");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock.jdbc.url=",
                "lock.jdbc.data-source=",
                "lock.row-lock.url=",
                "lock.row-lock.data-source=",
                "lock.redis.host=",
                "lock.redis.connection-factory="
            })
    void aPropertyWithoutAValueConfiguresNoStore(String property) {
        assertThat(StartFailures.of(runner.withPropertyValues(property)).getDescription())
                .startsWith("'lock.backend' must be set, since no store is configured in which to keep locks");
    }

    @Test
    void aRedisThatAVariableConfiguresIsTaken() {
        assertThat(choice(runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "systemEnvironment", Map.of("SPRING_DATA_REDIS_HOST", "localhost"))))))
                .isEqualTo("redis");
    }

    @Test
    void otherSettingsOfRedisSayNotWhereItIs() {
        assertThat(StartFailures.of(runner.withPropertyValues("spring.data.redis.repositories.enabled=false"))
                        .getDescription())
                .startsWith("'lock.backend' must be set");
    }

    @Test
    void aRedisOfConnectionDetailsIsTaken() {
        assertThat(choice(runner.withBean(DataRedisConnectionDetails.class, () -> new DataRedisConnectionDetails() {
                    @Override
                    public Standalone getStandalone() {
                        return Standalone.of("localhost", 6379);
                    }
                })))
                .isEqualTo("redis");
    }

    @Test
    void aConnectionFactoryOfTheApplicationIsTaken() {
        assertThat(choice(runner.withBean(
                        "own", RedisConnectionFactory.class, () -> new LettuceConnectionFactory("localhost", 6379))))
                .isEqualTo("redis");
    }

    /** The locks would otherwise be kept in the one Redis of the application. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            lock.redlock.nodes[0].port=7000 | 'lock.backend' must be set, since locks could be kept in several stores: redis, redlock
            lock.redlock.nodes[0].hst=a     | 'lock.redlock.nodes[0].hst' is no property of 'lock.redlock.nodes[0]'
            lock.redlock.nodes=a            | 'lock.redlock.nodes' cannot have a value, since it is a list of groups of properties. It is set in
            """)
    void nodesWithoutAHostAreRefused(String nodes, String message) {
        assertThat(StartFailures.of(runner.withPropertyValues("spring.data.redis.host=localhost", nodes))
                        .getDescription())
                .startsWith(message);
    }

    /** As a source that reads from a service, and cannot list its names. */
    @Test
    void nodesOfASourceWithoutNamesAreFound() {
        Map<String, String> nodes = Map.of(
                "lock.redlock.nodes[0].host", "one",
                "lock.redlock.nodes[1].host", "two",
                "lock.redlock.nodes[2].host", "three");
        assertThat(choice(runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new PropertySource<>("service", nodes) {
                            @Override
                            public @Nullable Object getProperty(String name) {
                                return nodes.get(name);
                            }
                        }))))
                .isEqualTo("redlock");
    }

    @Test
    void aStoreWithAnAddressOfItsOwnIsTaken() {
        assertThat(choice(runner.withPropertyValues("lock.etcd.endpoints=http://localhost:2379")))
                .isEqualTo("etcd");
    }

    /** The locks would otherwise be kept in another store than those of the other applications. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock.etcd.endpoints",
                "lock.jdbc.data-source",
                "lock.jdbc.url",
                "lock.redis.connection-factory",
                "lock.redis.host",
                "lock.redis.url",
                "lock.redlock.nodes[0].host",
                "lock.row-lock.data-source",
                "lock.row-lock.url"
            })
    void anAddressOfAStoreThatIsNotThereIsRefused(String address) {
        FailureAnalysis analysis = StartFailures.of(runner.withClassLoader(new FilteredClassLoader(
                        "io.leasehold.etcd", "io.leasehold.jdbc", "io.leasehold.redis", "io.leasehold.redlock"))
                .withBean("ownStore", LockBackend.class, StoreChoiceTests::memory)
                .withPropertyValues(address + "=localhost"));
        assertThat(analysis.getDescription()).startsWith("'" + address + "' configures a store that is not there");
        assertThat(analysis.getAction()).contains("lock-spring-boot-starter", "'lock.backend'");
    }

    /** As with the starter of etcd alone. */
    @Test
    void theAdviceNamesTheAddressesOfTheStoresThatAreThere() {
        ApplicationContextRunner etcd =
                runner.withClassLoader(new FilteredClassLoader("io.leasehold.jdbc", "io.leasehold.redis"));
        assertThat(StartFailures.of(etcd).getAction())
                .startsWith("Configure a store with 'lock.etcd.endpoints'. Or set 'lock.backend' to one of")
                .doesNotContain("lock.redis.host");
    }

    /** The property alone adds no client. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lock.redis.host=localhost", "lock.lockers.deploy.redis.host=localhost", "lock.backend=redis"})
    void theAdviceIsNotToSetAPropertyThatNothingReads(String property) {
        ApplicationContextRunner etcd =
                runner.withClassLoader(new FilteredClassLoader("io.leasehold.jdbc", "io.leasehold.redis"));
        assertThat(StartFailures.of(etcd.withPropertyValues(property)).getAction())
                .startsWith("Add lock-spring-boot-starter, or lock-redis and a RedisConnectionFactory bean.")
                .doesNotContain("set 'lock.redis.host'");
    }

    @Test
    void besideAClientOfRedisItsHostIsEnough() {
        assertThat(StartFailures.of(new ApplicationContextRunner()
                                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                                .withPropertyValues("lock.backend=redis", "lock.lockers.deploy.ttl=10s"))
                        .getAction())
                .contains("Or set 'lock.redis.host'.");
    }

    @Test
    void severalStoresAreNotChosenFrom() {
        FailureAnalysis analysis = StartFailures.of(runner.withPropertyValues("spring.data.redis.host=localhost")
                .withBean("ownStore", LockBackend.class, StoreChoiceTests::memory));
        assertThat(analysis.getDescription())
                .startsWith("'lock.backend' must be set, since locks could be kept in several stores: ownStore, redis");
        assertThat(analysis.getAction()).contains("Set 'lock.backend' to one of them");
    }

    @Test
    void severalStoresOfTheApplicationAreNotChosenFrom() {
        assertThat(StartFailures.of(runner.withBean("one", LockBackend.class, StoreChoiceTests::memory)
                                .withBean("two", LockBackend.class, StoreChoiceTests::memory))
                        .getDescription())
                .contains("several stores: one, two");
    }

    @Test
    void thePrimaryStoreOfTheApplicationIsTaken() {
        assertThat(choice(runner.withBean("one", LockBackend.class, StoreChoiceTests::memory)
                        .withBean(
                                "two",
                                LockBackend.class,
                                StoreChoiceTests::memory,
                                (BeanDefinition definition) -> definition.setPrimary(true))))
                .isEqualTo("two");
    }

    private static String choice(ApplicationContextRunner runner) {
        String[] chosen = new String[1];
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean("deployLocker")).isInstanceOf(Locker.class);
            chosen[0] = context.getBean(LockerRegistry.class).status("deploy").backend();
        });
        return chosen[0];
    }

    private static LockBackend memory() {
        return new MemoryLockBackend(System::nanoTime, InstantSource.system());
    }
}
