package io.leasehold.autoconfigure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockSslProperties;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** What the settings of a Redis that only locks use amount to. */
class RedisServerAddressTests {

    @ParameterizedTest
    @CsvSource({
        "redis://localhost, localhost, 6379, 0, false",
        "redis://localhost:7000/3, localhost, 7000, 3, false",
        "rediss://redis.example/, redis.example, 6379, 0, true"
    })
    void aUrlNamesHostPortDatabaseAndEncryption(String url, String host, int port, int database, boolean tls) {
        RedisServerAddress address = RedisServerAddress.of("lock.redis", url(url));
        assertThat(address.server().getHostName()).isEqualTo(host);
        assertThat(address.server().getPort()).isEqualTo(port);
        assertThat(address.server().getDatabase()).isEqualTo(database);
        assertThat(address.ssl().isEnabled()).isEqualTo(tls);
    }

    @Test
    void theLoginOfAUrlIsDecoded() {
        RedisStandaloneConfiguration server = RedisServerAddress.of(
                        "lock.redis", url("redis://a%40b:c%2Fd+e@localhost"))
                .server();
        assertThat(server.getUsername()).isEqualTo("a@b");
        assertThat(server.getPassword()).isEqualTo(RedisPassword.of("c/d+e"));
    }

    @Test
    void aPasswordNeedsNoUser() {
        RedisStandaloneConfiguration server = RedisServerAddress.of("lock.redis", url("redis://:secret@localhost"))
                .server();
        assertThat(server.getUsername()).isNull();
        assertThat(server.getPassword()).isEqualTo(RedisPassword.of("secret"));
    }

    @Test
    void aHostHasTheDefaultPort() {
        RedisServerAddress address = RedisServerAddress.of("lock.redis", host(null, 5));
        assertThat(address.server().getPort()).isEqualTo(6379);
        assertThat(address.server().getDatabase()).isEqualTo(5);
        assertThat(address.ssl().isEnabled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost:6379", "http://localhost", "redis://", "redis://:secret@ho st", "redis://h/:secret"})
    void aMalformedUrlIsRefusedWithoutRepeatingIt(String url) {
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", url(url)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.redis.url")
                .hasMessageNotContaining("secret");
    }

    /** A client of Redis reads the database and more from there. Locks would be in database 0. */
    @ParameterizedTest
    @ValueSource(strings = {"redis://localhost?database=5", "redis://localhost/0?password=secret", "redis://h/0#5"})
    void aUrlWithSettingsBehindItsPathIsRefused(String url) {
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", url(url)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'lock.redis.url' must end with the number of the database")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aNegativeDatabaseIsRefused() {
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", host(6379, -1)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.redis.database");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_536})
    void aPortOutOfRangeIsRefused(int port) {
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", host(port, 0)))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.redis.port");
    }

    @Test
    void aSettingThatTheUrlHasAlreadyIsRefused() {
        RedisServerProperties twice =
                new RedisServerProperties(null, "redis://localhost", null, 6379, null, null, null, null);
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", twice))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lock.redis.port");
    }

    @Test
    void aBundleNeedsAUrlWithEncryption() {
        LockSslProperties ssl = new LockSslProperties(null, "locks");
        RedisServerProperties plain =
                new RedisServerProperties(null, "redis://localhost", null, null, null, null, null, ssl);
        assertThatThrownBy(() -> RedisServerAddress.of("lock.redis", plain))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("rediss://");
        RedisServerProperties encrypted =
                new RedisServerProperties(null, "rediss://localhost", null, null, null, null, null, ssl);
        assertThat(RedisServerAddress.of("lock.redis", encrypted).ssl().bundle())
                .isEqualTo("locks");
    }

    private static RedisServerProperties url(String url) {
        return new RedisServerProperties(null, url, null, null, null, null, null, null);
    }

    private static RedisServerProperties host(@Nullable Integer port, int database) {
        return new RedisServerProperties(null, null, "localhost", port, null, null, database, null);
    }
}
