package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications log the failure of their start, and some log their beans with those of this library. */
class PasswordsInTextTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock.redis.pasword=secret",
                "lock.redis.uri=redis://:secret@redis.example",
                "lock.redis=redis://:secret@redis.example",
                "lock.lockers.deploy.redis.passwort=secret",
                "lock.redlock.nodes[0].passwd=secret",
                "lock.jdbc.pwd=secret",
                "lock.etcd.endpoints=locks:secret@etcd.example:2379",
                "lock.etcd.endpoints=locks:secret[@etcd.example:2379"
            })
    void noFailureOfAStartHasAPasswordThatWasWrittenInTheWrongPlace(String property) {
        FailureAnalysis analysis = StartFailures.of(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=etcd", "lock.lockers.deploy=", property));

        assertThat(analysis.getDescription() + analysis.getAction())
                .contains(property.substring(0, property.indexOf('=')))
                .contains("It is set in ")
                .doesNotContain("secret");
    }

    @Test
    void noBeanHasAPasswordInItsText() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues(
                        "lock.backend=memory",
                        "lock.redis.host=redis.example",
                        "lock.redis.password=secret",
                        "lock.redlock.nodes[0].host=one.example",
                        "lock.redlock.nodes[0].password=secret",
                        "lock.etcd.endpoints=http://etcd.example:2379",
                        "lock.etcd.user=locks",
                        "lock.etcd.password=secret",
                        "lock.jdbc.url=jdbc:postgresql://db.example/locks?password=secret",
                        "lock.jdbc.username=locks",
                        "lock.jdbc.password=secret",
                        "lock.row-lock.url=jdbc:postgresql://db.example/locks?password=secret",
                        "lock.row-lock.username=locks",
                        "lock.row-lock.password=secret")
                .run(context -> {
                    List<String> texts = Arrays.stream(context.getBeanDefinitionNames())
                            .map(context::getBean)
                            .map(Objects::toString)
                            .toList();
                    assertThat(texts)
                            .anyMatch(text -> text.contains("JdbcLockProperties"))
                            .anyMatch(text -> text.contains("RowLockProperties"))
                            .anyMatch(text -> text.contains("RedisLockProperties"))
                            .anyMatch(text -> text.contains("RedlockLockProperties"))
                            .anyMatch(text -> text.contains("EtcdLockProperties"))
                            .noneMatch(text -> text.contains("secret"));
                });
    }
}
