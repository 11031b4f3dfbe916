package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The masked form of keys. */
class LockKeysTests {

    private static final String MASKED = "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";

    @Test
    void aMaskedKeyIsItsSha256() {
        assertThat(LockKeys.mask("foo")).isEqualTo(MASKED);
    }

    @Test
    void aMaskedKeyIsMaskedOnlyOnce() {
        assertThat(LockKeys.mask(MASKED)).isEqualTo(MASKED);
        assertThat(LockKeys.mask(MASKED.toUpperCase(Locale.ROOT))).isNotEqualTo(MASKED.toUpperCase(Locale.ROOT));
        assertThat(LockKeys.mask("sha256:")).isNotEqualTo("sha256:");
        assertThat(LockKeys.mask(MASKED + "0")).isNotEqualTo(MASKED + "0");
    }

    @Test
    void aHandleWithAMaskedKeyIsFoundByThePlainOne() {
        assertThat(LockKeys.isSame(MASKED, "foo")).isTrue();
        assertThat(LockKeys.isSame(MASKED, MASKED)).isTrue();
        assertThat(LockKeys.isSame(MASKED, "bar")).isFalse();
        assertThat(LockKeys.isSame("foo", "foo")).isTrue();
        assertThat(LockKeys.isSame("foo", MASKED)).isFalse();
    }
}
