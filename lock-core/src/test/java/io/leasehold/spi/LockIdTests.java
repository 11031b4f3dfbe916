package io.leasehold.spi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Lock ids as values. */
class LockIdTests {

    @Test
    void idsAreEqualIfNamespaceAndKeyAre() {
        assertThat(LockId.of("n", "k"))
                .isEqualTo(LockId.of("n", "k"))
                .hasSameHashCodeAs(LockId.of("n", "k"))
                .isNotEqualTo(LockId.of("n", "K"))
                .isNotEqualTo(LockId.of("m", "k"))
                .isNotEqualTo("n:k");
    }

    @Test
    void namespaceAndKeyDoNotRunTogether() {
        assertThat(LockId.of("a", "b:c")).isNotEqualTo(LockId.of("a.b", "c"));
        assertThat(LockId.of("a", "b.c")).isNotEqualTo(LockId.of("a.b", "c"));
        assertThat(LockId.of("a", "b")).isNotEqualTo(LockId.of("a", "a:b"));
    }

    @Test
    void anIdIsShownAsStoresKeepIt() {
        assertThat(LockId.of("n", "{k}")).hasToString("n:%7Bk%7D");
        assertThat(LockId.of("n", "{k}").encoded()).isEqualTo("n:%7Bk%7D");
    }

    @Test
    void theKeyOfAnIdIsTheOneThatWasEncoded() {
        for (String key : new String[] {"k", "a/b", "{k}", "100%", "a%2Fb", "a\nb"}) {
            assertThat(LockId.key(LockId.of("n", key).encoded())).isEqualTo(key);
        }
    }

    @Test
    void aTextThatIsNoEncodedIdHasNoKeyOfAnotherLock() {
        for (String foreign : new String[] {"a%2Fb", "a%7bb", "a%41", "%", "a%7"}) {
            assertThat(LockId.key("n:" + foreign)).isEqualTo(foreign);
        }
    }

    @Test
    void theBytesBetweenOthersAreThoseOfTheEncodedForm() {
        assertThat(LockId.of("n", "é").bytes("{".getBytes(UTF_8), "}:queue".getBytes(UTF_8)))
                .asString(UTF_8)
                .isEqualTo("{n:é}:queue");
    }

    @Test
    void aNamespaceWithAColonIsRefusedByName() {
        assertThatThrownBy(() -> LockId.of("a:b", "c"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("':' at index 1")
                .hasMessageContaining("'a:b'");
    }
}
