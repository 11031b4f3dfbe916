package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockBackendException;
import io.leasehold.Locker;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The messages about a store at an address where nothing listens, or whose host name cannot be resolved. */
@ExtendWith(OutputCaptureExtension.class)
class AbsentStoreMessagesTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class, LockAutoConfiguration.class))
            .withPropertyValues("lock.lockers.deploy.wait-time=0s");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            redis | spring.data.redis.port=1                                  | 127.0.0.1:1 | 'spring.data.redis.*'
            redis | lock.redis.url=redis://127.0.0.1:1                        | 127.0.0.1:1 | 'lock.redis.url'
            jdbc  | spring.datasource.url=jdbc:postgresql://127.0.0.1:1/a     | 127.0.0.1:1 | 'spring.datasource.*'
            jdbc  | lock.jdbc.url=jdbc:postgresql://127.0.0.1:1/a             | 127.0.0.1:1 | 'lock.jdbc.url'
            etcd  | lock.etcd.endpoints=http://127.0.0.1:1                    | 127.0.0.1:1 | 'lock.etcd.endpoints'
            redis | spring.data.redis.host=no.invalid                         | no.invalid:6379 | 'spring.data.redis.*'
            redis | lock.redis.url=redis://no.invalid                         | no.invalid:6379 | 'lock.redis.url'
            jdbc  | spring.datasource.url=jdbc:postgresql://no.invalid/a      | no.invalid/a | 'spring.datasource.*'
            jdbc  | lock.jdbc.url=jdbc:mariadb://no.invalid/a                 | no.invalid/a | 'lock.jdbc.url'
            row-lock | lock.row-lock.url=jdbc:postgresql://no.invalid/a       | no.invalid/a | 'lock.row-lock.url'
            etcd  | lock.etcd.endpoints=http://no.invalid:2379                | no.invalid | 'lock.etcd.endpoints'
            """)
    void theAddressAndWhereItIsSet(
            String backend, String property, String address, String setting, CapturedOutput output) {
        runner.withPropertyValues("lock.backend=" + backend, property).run(context -> {
            assertThat(context).hasNotFailed();
            Locker deploy = context.getBean("deployLocker", Locker.class);
            assertThatThrownBy(() -> deploy.tryLock("key"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining(setting);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output)
                            .containsPattern("Lock store '" + backend + "' could not be checked: .*\\Q" + address
                                    + "\\E.*\\Q" + setting + "\\E"));
        });
    }
}
