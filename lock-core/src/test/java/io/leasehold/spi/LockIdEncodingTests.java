package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockState;
import io.leasehold.testsupport.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The encoding of lock ids. */
class LockIdEncodingTests {

    private static final int RANDOM_IDS = 60_000;

    @ParameterizedTest
    @CsvSource({
        "deploy, service-a, deploy:service-a",
        "a.b_C-9, x:y::z, a.b_C-9:x:y::z",
        "n, {a}b, n:%7Ba%7Db",
        "n, a%7Bb, n:a%257Bb",
        "n, 100%, n:100%25",
        "n, Us\u00e9r \ud83d\udd12, n:Us\u00e9r \ud83d\udd12",
    })
    void readableKeysStayReadable(String namespace, String key, String encoded) {
        assertThat(encoded(namespace, key)).isEqualTo(encoded);
    }

    @Test
    void controlCharactersAreEscaped() {
        assertThat(encoded("n", "a\0b\r\nc\td\u007f")).isEqualTo("n:a%00b%0D%0Ac%09d%7F");
    }

    @Test
    void spacesAroundAKeyAreKept() {
        assertThat(encoded("n", " a ")).isEqualTo("n: a ");
    }

    @Test
    void aKeyOfTheGreatestLengthIsKeptAndALongerOneIsShortened() {
        String longest = "k".repeat(LockId.MAX_BYTES - 2);
        assertThat(encoded("n", longest)).isEqualTo("n:" + longest);
        assertThat(encoded("n", longest + "k"))
                .matches("n:k{64}%#[0-9a-f]{64}")
                .isNotEqualTo(encoded("n", longest + "l"));
    }

    @Test
    void lengthCountsInBytes() {
        String two = "\u00e4".repeat(255);
        assertThat(encoded("n", two)).isEqualTo("n:" + two);
        assertThat(encoded("n", two + "k")).startsWith("n:\u00e4").contains("%#");
    }

    @Test
    void shorteningSplitsNeitherAnEscapeNorACharacter() {
        for (int shift = 0; shift < 4; shift++) {
            String ascii = "k".repeat(shift);
            String encoded = encoded("n", ascii + "{".repeat(1_000));
            assertThat(encoded).matches("n:k*(%7B)+%#[0-9a-f]{64}");
            String emoji = encoded("n", ascii + "\ud83d\udd12".repeat(1_000));
            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(emoji)).isTrue();
        }
    }

    @Test
    void aKeyThatLooksLikeAShortenedOneIsAnother() {
        String shortened = encoded("n", "k".repeat(1_000));
        String imitation = shortened.substring("n:".length());
        assertThat(encoded("n", imitation)).isNotEqualTo(shortened);
    }

    @Test
    void theHashOfAShortenedKeyCoversItsNamespace() {
        String key = "k".repeat(1_000);
        String one = encoded("a", key).substring("a:".length());
        String other = encoded("b", key).substring("b:".length());
        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void allShortKeysAreDifferent() {
        Map<String, String> keys = new HashMap<>();
        for (String a : KeyGenerator.PIECES) {
            for (String b : KeyGenerator.PIECES) {
                for (String c : KeyGenerator.PIECES) {
                    String key = "k" + a + b + c;
                    String known = keys.putIfAbsent(encoded("n", key), key);
                    assertThat(known == null || known.equals(key))
                            .as("'%s' and '%s'", key, known)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void randomIdsAreDifferentShortAndHarmless() {
        KeyGenerator generator = new KeyGenerator(Seeds.random("LockIdEncodingTests"));
        Map<String, List<String>> ids = new HashMap<>();
        for (int i = 0; i < RANDOM_IDS; i++) {
            List<String> id = List.of(generator.namespace(), generator.key());
            String encoded = encoded(id.get(0), id.get(1));
            List<String> known = ids.putIfAbsent(encoded, id);
            if (known != null && !known.equals(id)) {
                throw new AssertionError(known + " and " + id + " are both encoded as " + encoded);
            }
            requireHarmless(id.get(0), encoded);
        }
        assertThat(ids).hasSizeGreaterThan(RANDOM_IDS / 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b", "a b", "a{b}", "a/b", "\u00e4", "a\n", "a\0", "*"})
    void aNamespaceOfOtherCharactersIsRefused(String namespace) {
        assertThatThrownBy(() -> encoded(namespace, "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'namespace'")
                .hasMessageContaining("'" + namespace + "'");
    }

    @Test
    void anEmptyATooLongAndAMissingNamespaceAreRefused() {
        assertThatThrownBy(() -> encoded("", "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'namespace' must have 1 to 128 characters: ''");
        String tooLong = "n".repeat(129);
        assertThatThrownBy(() -> encoded(tooLong, "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(tooLong);
        assertThatThrownBy(() -> encoded(absent(), "k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'namespace' must not be null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    void aBlankKeyIsRefused(String key) {
        assertThatThrownBy(() -> encoded("n", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'key' must not be blank: '" + LockState.printable(key)
                        + "'. Name what is to be locked, for example by its id");
    }

    @Test
    void aMissingKeyIsRefused() {
        assertThatThrownBy(() -> encoded("n", absent()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'key' must not be null");
    }

    @ParameterizedTest
    @CsvSource({"0, \\ud83d", "1, \\ud83d", "2, \\udd12"})
    void anUnpairedSurrogateIsRefused(int index, String shown) {
        char surrogate = (char) Integer.parseInt(shown.substring(2), 16);
        String key = "k".repeat(index) + surrogate + "k";
        assertThatThrownBy(() -> encoded("n", key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(shown + " at index " + index);
    }

    @Test
    void surrogatesTheWrongWayRoundAreRefused() {
        assertThatThrownBy(() -> encoded("n", "\udd12\ud83d")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> encoded("n", "k\ud83d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at index 1");
    }

    private static String encoded(String namespace, String key) {
        return LockId.of(namespace, key).encoded();
    }

    private static void requireHarmless(String namespace, String encoded) {
        boolean harmless = encoded.startsWith(namespace + ":")
                && encoded.getBytes(StandardCharsets.UTF_8).length <= LockId.MAX_BYTES
                && encoded.chars().noneMatch(c -> c < 0x20 || c == 0x7f || c == '{' || c == '}');
        if (!harmless) {
            throw new AssertionError("not a harmless id: " + encoded);
        }
    }

    @SuppressWarnings("NullAway")
    private static String absent() {
        return null;
    }
}
