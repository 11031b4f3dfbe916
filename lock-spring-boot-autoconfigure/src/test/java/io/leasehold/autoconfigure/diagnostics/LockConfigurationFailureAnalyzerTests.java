package io.leasehold.autoconfigure.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;

/** The texts for values and combinations that have no meaning. */
class LockConfigurationFailureAnalyzerTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @Test
    void aTtlShorterThanThreeCommandTimeouts() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.ttl=2s", "lock.defaults.command-timeout=1s");

        assertThat(analysis.getDescription())
                .isEqualTo(
                        "'lock.lockers.deploy.ttl' must be at least three times 'lock.defaults.command-timeout' (1s),"
                                + " so that a renewal can be tried again before the lock is lost: 2s."
                                + " It is set in \"lock.lockers.deploy.ttl\" from property source \"test\".");
        assertThat(analysis.getAction()).isEqualTo("Raise the one or lower the other.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock.lockers.deploy.ttl", "lock.defaults.wait-time", "lock.shutdown.timeout"})
    void aDurationWithoutUnit(String property) {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=memory", property + "=30");

        assertThat(analysis.getDescription())
                .isEqualTo("'" + property + "' has no unit: '30'. It is set in \"" + property
                        + "\" from property source \"test\".");
        assertThat(analysis.getAction()).isEqualTo("Write '30s' for seconds, or '30ms' for milliseconds.");
    }

    @Test
    void aNegativeNumber() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.ttl=-1");

        assertThat(analysis.getDescription()).startsWith("'lock.lockers.deploy.ttl' is negative: '-1'.");
        assertThat(analysis.getAction()).isEqualTo("Leave the property out for its default.");
    }

    @Test
    void aDurationWithoutUnitBehindAPlaceholder() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.ttl=${seconds}", "seconds=30");

        assertThat(analysis.getDescription()).startsWith("'lock.lockers.deploy.ttl' has no unit: '30'.");
    }

    @Test
    void zeroNeedsNoUnit() {
        runner.withPropertyValues("lock.lockers.deploy.wait-time=0", "lock.defaults.min-hold-time=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "lock.etcd.endpoint, lock.etcd, lock.etcd.endpoints",
        "lock.events.publsh, lock.events, lock.events.publish",
        "lock.redlock.node, lock.redlock, lock.redlock.nodes",
        "lock.web.satus, lock.web, lock.web.status",
        "lock.safety.levl, lock.safety, lock.safety.level",
        "lock.shutdown.timout, lock.shutdown, lock.shutdown.timeout"
    })
    void aMisspeltPropertyOfAGroup(String property, String group, String meant) {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=etcd", property + "=1");

        assertThat(analysis.getDescription())
                .isEqualTo("'" + property + "' is no property of '" + group + "'. It is set in \"" + property
                        + "\" from property source \"test\".");
        assertThat(analysis.getAction()).startsWith("Did you mean '" + meant + "'? It has the properties ");
    }

    @ParameterizedTest
    @CsvSource({
        "lock.etcd.endpont, lock.etcd.endpoints",
        "lock.jdbc.tabel, lock.jdbc.table",
        "lock.redis.hst, lock.redis.host",
        "lock.row-lock.max-lock, lock.row-lock.max-locks"
    })
    void aMisspeltPropertyOfAStoreThatIsNotThere(String property, String meant) {
        FailureAnalysis analysis = StartFailures.of(runner.withClassLoader(
                        new FilteredClassLoader("io.leasehold.etcd", "io.leasehold.jdbc", "io.leasehold.redis"))
                .withPropertyValues("lock.backend=memory", property + "=1"));

        assertThat(analysis.getDescription()).startsWith("'" + property + "' is no property of ");
        assertThat(analysis.getAction()).startsWith("Did you mean '" + meant + "'? It has the properties ");
    }

    @ParameterizedTest
    @CsvSource({
        "lock.etcd.ssl.bndle, lock.etcd.ssl, lock.etcd.ssl.bundle",
        "lock.redis.ssl.enable, lock.redis.ssl, lock.redis.ssl.enabled",
        "lock.redlock.nodes[0].persist-every-write, lock.redlock.nodes[0], lock.redlock.nodes[0].persists-every-write",
        "lock.redlock.nodes[0].ssl.enable, lock.redlock.nodes[0].ssl, lock.redlock.nodes[0].ssl.enabled",
        "lock.lockers.deploy.redis.hots, lock.lockers.deploy.redis, lock.lockers.deploy.redis.host",
        "lock.lockers.deploy.redis.ssl.enable, lock.lockers.deploy.redis.ssl, lock.lockers.deploy.redis.ssl.enabled",
        "lock.lockers.deploy.circuit-breaker.enable, lock.lockers.deploy.circuit-breaker, lock.lockers.deploy.circuit-breaker.enabled"
    })
    void aMisspeltPropertyInsideOfAGroup(String property, String group, String meant) {
        FailureAnalysis analysis =
                failure("lock.lockers.deploy.backend=memory", "lock.redlock.nodes[0].host=a", property + "=1");

        assertThat(analysis.getDescription()).startsWith("'" + property + "' is no property of '" + group + "'.");
        assertThat(analysis.getAction()).startsWith("Did you mean '" + meant + "'? It has the properties ");
    }

    @Test
    void aPropertyInsideOfASingleValue() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=memory", "lock.etcd.user.name=a");

        assertThat(analysis.getDescription()).startsWith("'lock.etcd.user.name' is no property of 'lock.etcd'.");
        assertThat(analysis.getAction()).startsWith("It has the properties endpoints, ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            lock.redis.fast-path            | maybe | must be true or false: 'maybe'
            lock.lockers.deploy.auto-renew  | maybe | must be true or false: 'maybe'
            lock.defaults.auto-renew        | ""    | has no value
            lock.defaults.max-local-handoffs | ""    | has no value
            lock.redis.port                 | many  | must be a whole number: 'many'
            lock.circuit-breaker.failure-rate-threshold | many | must be a number: 'many'
            lock.safety.level               | wran  | must be one of off, warn, fail: 'wran'
            lock.safety.levels.fsync        | wran  | must be one of off, warn, fail: 'wran'
            lock.events.publish             | lsot  | must be one of lost, force-released, at-risk, acquired, released: 'lsot'
            lock.redis.ssl                  | true  | cannot have a value, since it is a group of properties
            lock.lockers.deploy.redis.ssl   | true  | cannot have a value, since it is a group of properties
            lock.lockers.deploy.redis       | a     | cannot have a value, since it is a group of properties
            lock.etcd.endpoints             | http://[a | is not a URL: 'http://[a'
            """)
    void aValueOfAnotherType(String property, String value, String text) {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=memory", property + "=" + value);

        assertThat(analysis.getDescription()).startsWith("'" + property + "' " + text + ". It is set ");
        assertThat(analysis.getAction()).isNotBlank();
    }

    @ParameterizedTest
    @CsvSource({
        "lock.backend, STORE",
        "lock.defaults.ttl, TTL",
        "lock.lockers.deploy.backend, STORE",
        "lock.lockers.deploy.ttl, TTL",
        "lock.lockers.deploy.redis.host, HOST",
        "lock.lockers.deploy.namespace, NAME",
        "lock.instance-name, NAME",
        "lock.etcd.key-prefix, PREFIX",
        "lock.safety.level, LEVEL"
    })
    void aPlaceholderWithoutValue(String property, String placeholder) {
        String value = "${" + placeholder + "}";
        FailureAnalysis analysis = failure("lock.backend=etcd", "lock.lockers.deploy=", property + "=" + value);

        assertThat(analysis.getDescription())
                .isEqualTo("'" + property + "' has a placeholder without a value. It is set in \"" + property
                        + "\" from property source \"test\".");
        assertThat(analysis.getAction()).isEqualTo("Set '" + placeholder + "', or write the value itself.");
    }

    @Test
    void aPasswordMayLookLikeAPlaceholder() {
        runner.withPropertyValues(
                        "lock.backend=memory", "lock.lockers.deploy=", "lock.etcd.user=a", "lock.etcd.password=a${b}")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aStoreOfALockerWithoutValue() {
        FailureAnalysis analysis = failure("lock.backend=memory", "lock.lockers.deploy.backend=${STORE:}");

        assertThat(analysis.getDescription())
                .startsWith("'lock.lockers.deploy.backend' has no value. It is set in ")
                .contains("in \"lock.lockers.deploy.backend\" from property source \"test\"");
        assertThat(analysis.getAction())
                .isEqualTo("Set one, also for a placeholder in it, or leave the property out for the value of"
                        + " 'lock.backend'.");
    }

    @Test
    void aValueOfTheWholeLibrary() {
        FailureAnalysis analysis = failure("lock=memory", "lock.backend=etcd", "lock.lockers.deploy=");

        assertThat(analysis.getDescription())
                .isEqualTo("'lock' cannot have a value, since it is a group of properties. It is set in"
                        + " \"lock\" from property source \"test\".");
    }

    @Test
    void aPropertyOfAGroupWithoutValue() {
        FailureAnalysis analysis = failure("lock.shutdown.timeout=${TIMEOUT:}");

        assertThat(analysis.getDescription()).startsWith("'lock.shutdown.timeout' has no value.");
        assertThat(analysis.getAction())
                .isEqualTo("Set one, also for a placeholder in it, or leave the property out for its default.");
    }

    @Test
    void anUnknownPropertyOfTheApplicationIsLeftToSpringBoot() {
        FailureAnalysis analysis = StartFailures.of(runner.withInitializer(
                        context -> context.addBeanFactoryPostProcessor(beans -> bindShop(context.getEnvironment())))
                .withPropertyValues("shop.nmae=a"));

        assertThat(analysis.getDescription()).contains("[shop.nmae] were left unbound");
    }

    @Test
    void aNamespaceWithAColon() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.namespace=a:b");

        assertThat(analysis.getDescription())
                .startsWith(
                        "'lock.lockers.deploy.namespace' must consist of 1 to 128 letters, digits and '.', '_', '-':"
                                + " 'a:b'.");
        assertThat(analysis.getAction()).contains("A colon separates namespace and key");
    }

    @Test
    void aLockerNamedTwice() {
        FailureAnalysis analysis = failure("lock.lockers.my-deploy.ttl=30s", "lock.lockers.myDeploy.ttl=40s");

        assertThat(analysis.getDescription())
                .isEqualTo(
                        "'lock.lockers' names one locker twice: 'my-deploy' (set in \"lock.lockers.my-deploy.ttl\" from"
                                + " property source \"test\") and 'myDeploy' (set in \"lock.lockers.myDeploy.ttl\" from property"
                                + " source \"test\"), since upper case and punctuation do not count in names of properties.");
    }

    @Test
    void aNameThatIsNone() {
        FailureAnalysis analysis = failure("lock.lockers[a b].ttl=30s");

        assertThat(analysis.getDescription())
                .startsWith("'lock.lockers[a b].ttl' belongs to a locker whose name must consist of letters")
                .contains("'a b'. It is set in \"lock.lockers[a b].ttl\" from property source \"test\".");
        assertThat(analysis.getAction()).contains("Rename the locker");
    }

    @Test
    void aStoreThatDoesNotExist() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=rediss");

        assertThat(analysis.getDescription())
                .startsWith(
                        "'lock.lockers.deploy.backend' must be a store that is there, one of [etcd, memory]: 'rediss'.");
        assertThat(analysis.getAction())
                .isEqualTo("Correct the name, or define a bean of type LockBackend with that name.");
    }

    @Test
    void aStoreWhoseClientIsMissing() {
        FailureAnalysis analysis = failure("lock.lockers.deploy.backend=jdbc");

        assertThat(analysis.getDescription()).contains("'jdbc'");
        assertThat(analysis.getAction()).contains("spring-boot-starter-jdbc").contains("spring.datasource.url");
    }

    @Test
    void noStoreAtAll() {
        FailureAnalysis analysis = failure("lock.backend=", "lock.lockers.deploy.ttl=30s");

        assertThat(analysis.getDescription())
                .startsWith("'lock.backend' must be set, since no store is configured in which to keep locks.");
        assertThat(analysis.getAction())
                .contains("Configure a store with 'lock.etcd.endpoints'")
                .contains("Or set 'lock.backend' to one of [etcd, memory]; 'memory' locks within one JVM only.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            lock.lockers.deploy.wait-time=-1s          |                                  | 'lock.lockers.deploy.wait-time' must not be negative: -1s.
            lock.defaults.wait-time=-1s                |                                  | 'lock.defaults.wait-time' must not be negative: -1s.
            lock.lockers.deploy.ttl=0s                 |                                  | 'lock.lockers.deploy.ttl' must be 1ms to 365d: 0s.
            lock.defaults.ttl=400d                     |                                  | 'lock.defaults.ttl' must be 1ms to 365d: 400d.
            lock.lockers.deploy.min-hold-time=-1ms     |                                  | 'lock.lockers.deploy.min-hold-time' must be 0s to 365d: -1ms.
            lock.defaults.min-hold-time=120000d        |                                  | 'lock.defaults.min-hold-time' must be 0s to 365d: 120000d.
            lock.defaults.long-hold-threshold=120000d  |                                  | 'lock.defaults.long-hold-threshold' must be 0s to 365d: 120000d.
            lock.defaults.long-wait-threshold=120000d  |                                  | 'lock.defaults.long-wait-threshold' must be 0s to 365d: 120000d.
            lock.lockers.deploy.command-timeout=0s     |                                  | 'lock.lockers.deploy.command-timeout' must be 1ms to 365d: 0s.
            lock.lockers.deploy.max-hold-time=10s      |                                  | 'lock.lockers.deploy.max-hold-time' must not be shorter than 'lock.defaults.ttl' (30s): 10s.
            lock.lockers.deploy.max-hold-time=60s      | lock.lockers.deploy.auto-renew=false | 'lock.lockers.deploy.max-hold-time' has no meaning with 'lock.lockers.deploy.auto-renew' ('false'): a lock that is not renewed ends after its ttl: 1m.
            lock.defaults.max-hold-time=60s            | lock.lockers.deploy.min-hold-time=2m | 'lock.lockers.deploy.min-hold-time' must not be longer than 'lock.defaults.max-hold-time' (1m): 2m.
            lock.defaults.auto-renew=false             | lock.lockers.deploy.min-hold-time=31s | 'lock.lockers.deploy.min-hold-time' must not be longer than 'lock.defaults.ttl' (30s) with 'lock.defaults.auto-renew' ('false'): 31s.
            lock.lockers.deploy.max-local-handoffs=256 |                                  | 'lock.lockers.deploy.max-local-handoffs' must be 0 to 255: '256'.
            lock.shutdown.timeout=-1s                  |                                  | 'lock.shutdown.timeout' must be 0s to 365d: -1s.
            lock.shutdown.timeout=120000d              |                                  | 'lock.shutdown.timeout' must be 0s to 365d: 120000d.
            lock.safety.clock-offset=120000d           |                                  | 'lock.safety.clock-offset' must be 0s to 365d: 120000d.
            lock.safety.timeout=0s                     |                                  | 'lock.safety.timeout' must be 1ms to 365d: 0s.
            """)
    void durationsThatContradict(String one, String other, String text) {
        FailureAnalysis analysis =
                other == null ? failure(one, "lock.lockers.deploy=") : failure(one, other, "lock.lockers.deploy=");

        assertThat(analysis.getDescription()).startsWith(text).contains("It is set in ");
        assertThat(analysis.getAction()).isNotBlank();
    }

    @Test
    void aCapInTheDefaultsSaysNothingAboutALockerThatDoesNotRenew() {
        runner.withPropertyValues("lock.defaults.max-hold-time=60s", "lock.lockers.deploy.auto-renew=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private FailureAnalysis failure(String... properties) {
        return StartFailures.of(runner.withPropertyValues(properties));
    }

    /** Binds as for an annotated class. An annotation would add the properties to the metadata of the tests. */
    private static void bindShop(Environment environment) {
        BindHandler strict =
                new NoUnboundElementsBindHandler(BindHandler.DEFAULT, source -> source.getUnderlyingSource() != null);
        Binder.get(environment).bind("shop", Bindable.of(Shop.class), strict);
    }

    record Shop(String name) {}
}
