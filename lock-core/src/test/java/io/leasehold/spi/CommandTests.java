package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Commands that no store could execute are rejected, and tokens are not shown. */
class CommandTests {

    private static final LockId ID = LockId.of("n", "k");

    private static final Token TOKEN = new Token(0x0123456789abcdefL, 0xfedcba9876543210L);

    @Test
    void aTtlBelowAMillisecondIsRefused() {
        for (Duration ttl : new Duration[] {Duration.ZERO, Duration.ofMillis(-5), Duration.ofNanos(999_999)}) {
            assertThatThrownBy(() -> new AcquireCommand(ID, TOKEN, ttl, 1, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'ttl' must be at least 1 ms: " + ttl + " (n:k)");
            assertThatThrownBy(() -> new RenewCommand(ID, TOKEN, ttl))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'ttl' must be at least 1 ms: " + ttl + " (n:k)");
        }
    }

    @Test
    void anEndlessTtlIsNoTrouble() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        assertThatCode(() -> new AcquireCommand(ID, TOKEN, endless, 1, false)).doesNotThrowAnyException();
        assertThatCode(() -> new RenewCommand(ID, TOKEN, endless)).doesNotThrowAnyException();
    }

    @Test
    void aGrantReservesAtLeastOneFence() {
        assertThatThrownBy(() -> new AcquireCommand(ID, TOKEN, Duration.ofSeconds(1), 0, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'fencingTokens' must be at least 1: 0 (n:k)");
    }

    @Test
    void aNegativeRetentionIsRejected() {
        assertThatThrownBy(() -> new ReleaseCommand(ID, TOKEN, Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'retainFor' must not be negative: PT-0.001S (n:k)");
    }

    @Test
    void aTokenIsKeptWholeAndShownInPart() {
        assertThat(TOKEN.value()).isEqualTo("0123456789abcdeffedcba9876543210");
        assertThat(TOKEN).hasToString("012345...");
        assertThat(new RenewCommand(ID, TOKEN, Duration.ofSeconds(1)).toString())
                .doesNotContain("6789abcdef")
                .doesNotContain("fedcba");
    }

    @Test
    void aFindingReadsAsALine() {
        assertThat(new SafetyFinding("maxmemory-policy", "is allkeys-lru", "Set it to noeviction"))
                .hasToString("maxmemory-policy: is allkeys-lru. Set it to noeviction");
    }
}
