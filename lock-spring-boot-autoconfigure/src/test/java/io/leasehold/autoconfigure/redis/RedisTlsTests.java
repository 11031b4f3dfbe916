package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** A real Redis that speaks TLS and asks for the client's certificate. */
class RedisTlsTests {

    @TempDir
    private static Path folder;

    private static int port;

    private static RedisServer redis;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class, DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.ttl=20s", "lock.lockers.deploy.command-timeout=5s");

    @BeforeAll
    static void start() {
        TestCertificate certificate = TestCertificate.create(folder);
        port = FreePort.find();
        redis = RedisServer.startDurable(
                "tls-port " + port,
                "tls-cert-file " + certificate.certificate(),
                "tls-key-file " + certificate.privateKey(),
                "tls-ca-cert-file " + certificate.certificate(),
                "tls-auth-clients yes");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Test
    void locksUseTheTlsOfTheApplicationsConnections() {
        lockAndWait(
                "spring.data.redis.host=localhost",
                "spring.data.redis.port=" + port,
                "spring.data.redis.ssl.bundle=redis");
    }

    @Test
    void aRedisForLocksAloneCanSpeakTls() {
        lockAndWait("lock.redis.host=localhost", "lock.redis.port=" + port, "lock.redis.ssl.bundle=redis");
    }

    @Test
    void theRedisOfOneLockerCanSpeakTls() {
        lockAndWait(
                "lock.lockers.deploy.redis.url=rediss://localhost:" + port,
                "lock.lockers.deploy.redis.ssl.bundle=redis");
    }

    @Test
    void aServerThatIsNotTrustedGetsNoCommand() {
        runner.withPropertyValues("lock.redis.url=rediss://localhost:" + port, "lock.defaults.wait-time=0s")
                .run(context -> assertThatThrownBy(() -> deploy(context).lock("untrusted"))
                        .isInstanceOf(LockBackendException.class));

        assertThat(redis.command("EXISTS", "deploy:untrusted")).isEqualTo(0L);
    }

    private void lockAndWait(String... properties) {
        ApplicationContextRunner overTls = runner.withPropertyValues(bundle()).withPropertyValues(properties);
        overTls.run(context -> overTls.run(other -> lockAndWait(deploy(context), deploy(other))));
    }

    /** Scripts and messages: a caller of another process waits and is notified over a second connection. */
    private static void lockAndWait(Locker deploy, Locker elsewhere) {
        LockHandle held = deploy.lock("service-a");
        CompletableFuture<Optional<LockHandle>> next =
                CompletableFuture.supplyAsync(() -> elsewhere.tryLock("service-a", Duration.ofSeconds(20)));
        assertThat(redis.command("EXISTS", "deploy:service-a")).isEqualTo(1L);
        await().until(() ->
                redis.command("CLIENT", "LIST", "TYPE", "pubsub") instanceof String clients && !clients.isBlank());
        held.close();
        assertThat(next)
                .succeedsWithin(Duration.ofSeconds(20))
                .satisfies(handle -> handle.orElseThrow().close());
    }

    private static Locker deploy(ApplicationContext context) {
        return context.getBean("deployLocker", Locker.class);
    }

    private static String[] bundle() {
        String bundle = "spring.ssl.bundle.pem.redis.";
        return new String[] {
            bundle + "truststore.certificate=file:" + folder.resolve("certificate.pem"),
            bundle + "keystore.certificate=file:" + folder.resolve("certificate.pem"),
            bundle + "keystore.private-key=file:" + folder.resolve("key.pem")
        };
    }
}
