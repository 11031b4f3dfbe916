package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The masked form of keys, and keys that are refused. */
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
    void theMessageAboutABlankKeyHasOneLine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.requireValid("\n".repeat(1_000)))
                .withMessageStartingWith("'key' must not be blank: '\\u000a\\u000a")
                .satisfies(failure ->
                        assertThat(failure.getMessage()).doesNotContain("\n").hasSizeLessThan(300));
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
