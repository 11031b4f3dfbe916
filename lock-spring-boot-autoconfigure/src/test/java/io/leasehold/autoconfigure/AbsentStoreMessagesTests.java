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

/** What is told of a store at an address where nothing listens. */
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
            """)
    void theAddressAndWhereItIsSet(
            String backend, String property, String address, String setting, CapturedOutput output) {
        runner.withPropertyValues("lock.backend=" + backend, property).run(context -> {
            assertThat(context).hasNotFailed();
            Locker deploy = context.getBean("deployLocker", Locker.class);
            assertThatThrownBy(() -> deploy.tryLock("key"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining(address);
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(output)
                            .containsPattern("Lock store '" + backend + "' could not be checked: .*\\Q" + address
                                    + "\\E.*\\Q" + setting + "\\E"));
        });
    }
}
