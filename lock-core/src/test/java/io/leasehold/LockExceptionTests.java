package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys often come from requests, and applications log the exceptions. */
class LockExceptionTests {

    private static final String KEY = "42\r\nERROR forged \u001b[31m\u202e";

    private static final String SHOWN = "42\\u000d\\u000aERROR forged \\u001b[31m\\u202e";

    @Test
    void aKeyWithControlCharactersForgesNoLineOfALog() {
        for (LockException failure : List.of(
                new LockNotAcquiredException("deploy", KEY, Duration.ZERO),
                new LockLostException("deploy", KEY, LossReason.EXPIRED),
                new LockInterruptedException("deploy", KEY),
                new LockBackendException("lock '" + KEY + "' failed", "deploy", KEY, null))) {
            assertThat(failure.getMessage()).contains("lock '" + SHOWN + "'").doesNotContain("\n", "\u001b");
            assertThat(failure.key()).isEqualTo(KEY);
        }
    }

    @Test
    void aLongKeyIsCut() {
        String key = "k".repeat(1_000_000);
        LockException failure = new LockNotAcquiredException("deploy", key, Duration.ZERO);
        assertThat(failure.getMessage()).hasSizeLessThan(400).contains("kkk...");
        assertThat(failure.key()).isEqualTo(key);
    }
}
