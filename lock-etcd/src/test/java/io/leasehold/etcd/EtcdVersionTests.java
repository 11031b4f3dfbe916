package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recommended versions. */
class EtcdVersionTests {

    @ParameterizedTest
    @ValueSource(strings = {"3.4.38", "3.4.40", "3.5.23", "3.6.5", "3.6.12-rc.1", "3.7.0", "4.0.0"})
    void recommended(String version) {
        assertThat(EtcdVersion.parse(version).isRecommended()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.4.37", "3.5.22", "3.6.4", "3.3.99", "2.3.8"})
    void notRecommended(String version) {
        assertThat(EtcdVersion.parse(version).isRecommended()).isFalse();
    }

    @Test
    void anInvalidVersionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdVersion.parse("three"))
                .withMessageContaining("'three'");
    }
}
