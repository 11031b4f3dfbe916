package io.leasehold.mistakes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.servers.FreePort;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.TestCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A Redis that cannot be reached, or that refuses. */
class RedisMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=redis", "lock.lockers.deploy.wait-time=0s", "lock.lockers.deploy.command-timeout=5s");

    @Test
    void wrongPort() {
        lock("spring.data.redis.url=redis://127.0.0.1:1");
    }

    @Test
    void unknownHost() {
        lock("spring.data.redis.host=redis.invalid");
    }

    @Test
    void missingPassword() {
        try (RedisServer redis = RedisServer.startDurable()) {
            redis.command("CONFIG", "SET", "requirepass", "secret");
            lock("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
        }
    }

    @Test
    void wrongPassword() {
        lockAs("guest", "wrong", "~deploy:*", "+@all");
    }

    @Test
    void untrustedCertificate(@TempDir Path folder) {
        TestCertificate certificate = TestCertificate.create(folder);
        int port = FreePort.find();
        try (RedisServer redis = RedisServer.startDurable(
                "tls-port " + port,
                "tls-cert-file " + certificate.certificate(),
                "tls-key-file " + certificate.privateKey(),
                "tls-ca-cert-file " + certificate.certificate())) {
            assertThat(redis.command("PING")).isEqualTo("PONG");
            lock("spring.data.redis.url=rediss://127.0.0.1:" + port);
        }
    }

    @Test
    void commandsNotPermitted() {
        lockAs("reader", "secret", "~deploy:*", "~{deploy:*", "&*", "+hello", "+client", "+get");
    }

    @Test
    void keysNotPermitted() {
        lockAs("stranger", "secret", "~billing:*", "&*", "+@all");
    }

    @Test
    void keyWithoutExpiry() {
        try (RedisServer redis = RedisServer.startDurable()) {
            redis.command("SET", "deploy:service-a", "written by hand");
            lock("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
        }
    }

    @Test
    void tooManyConnections() throws IOException {
        try (RedisServer redis = RedisServer.startDurable();
                Socket other = new Socket(redis.host(), redis.port())) {
            // it takes the only place, since locks need one connection of their own
            other.setKeepAlive(true);
            redis.command("CONFIG", "SET", "maxclients", "1");
            runner.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:" + redis.port())
                    .run(context -> assertOnPage(failure(context.getBean("deployLocker", Locker.class))));
        }
    }

    @Test
    void keyOfAnotherKind() {
        RedisServer redis = RedisServer.shared();
        redis.command("LPUSH", "deploy:service-a", "a list");
        try {
            lock("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port());
        } finally {
            redis.command("DEL", "deploy:service-a");
        }
    }

    private void lockAs(String user, String password, String... rights) {
        try (RedisServer redis = RedisServer.startDurable()) {
            String[] command = new String[5 + rights.length];
            System.arraycopy(new String[] {"ACL", "SETUSER", user, "on", ">secret"}, 0, command, 0, 5);
            System.arraycopy(rights, 0, command, 5, rights.length);
            redis.command(command);
            lock(
                    "spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + redis.port(),
                    "spring.data.redis.username=" + user,
                    "spring.data.redis.password=" + password);
        }
    }

    private void lock(String... properties) {
        runner.withPropertyValues(properties)
                .run(context -> assertOnPage(failure(context.getBean("deployLocker", Locker.class))));
    }

    /** Asks until a reply was read. Lettuce loses it if the connection, which a refusal closes, ends first. */
    private static Throwable failure(Locker deploy) {
        return await().until(
                        () -> Assertions.catchThrowable(() -> {
                            try (LockHandle lock = deploy.lock("service-a")) {
                                lock.requireHeld();
                            }
                        }),
                        failure -> failure != null
                                && !failure.getMessage().contains("before the reply of Redis was read"));
    }
}
