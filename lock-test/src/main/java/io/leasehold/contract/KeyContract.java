package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.RenewAnswer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every key is a separate lock. */
public interface KeyContract extends StoreUnderTest {

    /** Keys that are difficult for stores. */
    static Stream<UnusualKey> unusualKeys() {
        return UnusualKey.all().stream();
    }

    @ParameterizedTest
    @MethodSource("io.leasehold.contract.KeyContract#unusualKeys")
    default void anUnusualKeyIsLockedRenewedAndReleased(UnusualKey unusual) {
        Held held = store().grant(unusual.key());
        otherProcess().busy(held.id());
        assertThat(store().renew(held, LONG)).isEqualTo(RenewAnswer.RENEWED);
        assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().grantSoon(unusual.key());
    }

    @Test
    default void allUnusualKeysAreDifferentLocks() {
        List<Held> all = UnusualKey.all().stream()
                .map(unusual -> store().grant(unusual.key()))
                .toList();
        assertThat(all).allSatisfy(held -> assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED));
    }

    @Test
    default void keysThatDifferOnlyInCaseAccentOrTrailingSpaceAreDifferentLocks() {
        Held upper = store().grant("User:1");
        Held lower = store().grant("user:1");
        Held spaced = store().grant("User:1 ");
        Held accented = store().grant("Us\u00e9r:1");
        Held decomposed = store().grant("Use\u0301r:1");
        assertThat(store().release(upper)).isEqualTo(ReleaseAnswer.RELEASED);
        for (Held held : List.of(lower, spaced, accented, decomposed)) {
            otherProcess().busy(held.id());
            assertThat(store().release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        }
    }

    @Test
    default void longKeysThatDifferAtTheEndAreDifferentLocks() {
        String prefix = "x".repeat(100_000);
        Held first = store().grant(prefix + "1");
        Held second = store().grant(prefix + "2");
        store().release(first);
        otherProcess().busy(second.id());
    }

    @Test
    default void namespacesAreIsolated() {
        String one = "n-" + UUID.randomUUID();
        Held held = inNamespace(one).grant("a");
        Held other = inNamespace(one + ".a").grant("a");
        assertThat(inNamespace(one).release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        otherProcess().busy(other.id());
    }

    @Test
    default void namespaceAndKeyDoNotRunTogether() {
        String one = "n-" + UUID.randomUUID();
        Held held = inNamespace(one).grant("a:b");
        inNamespace(one + ".a").grant("b");
        inNamespace(one).grant("b");
        inNamespace(one).grant("c.d");
        inNamespace(one + ".c").grant("d");
        assertThat(inNamespace(one).release(held)).isEqualTo(ReleaseAnswer.RELEASED);
    }
}
