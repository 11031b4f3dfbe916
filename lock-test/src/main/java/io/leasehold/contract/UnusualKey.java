package io.leasehold.contract;

import io.leasehold.spi.LockId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A key that is difficult for stores.
 *
 * @param name the special property of the key
 */
public record UnusualKey(String name, String key) {

    /** Returns all such keys. No two of them are equal. */
    public static List<UnusualKey> all() {
        List<UnusualKey> all = new ArrayList<>(List.of(
                new UnusualKey("braces", "{}"),
                new UnusualKey("a tag", "{a}"),
                new UnusualKey("a tag and more", "{a}b"),
                new UnusualKey("braces the wrong way round", "a}{b"),
                new UnusualKey("an open brace", "{a"),
                new UnusualKey("colons", "a:b::c:"),
                new UnusualKey("a leading colon", ":a"),
                new UnusualKey("our own suffix", "a:fence"),
                new UnusualKey("spaces", " a b  c "),
                new UnusualKey("slashes", "/a//b/../c\\d"),
                new UnusualKey("quotes", "a'b\"c`d;--"),
                new UnusualKey("wildcards", "*a?[b]_%"),
                new UnusualKey("percent", "100%"),
                new UnusualKey("an escape", "a%7Bb"),
                new UnusualKey("NUL", "a\0b"),
                new UnusualKey("CRLF", "a\r\nb"),
                new UnusualKey("a trailing line feed", "a\n"),
                new UnusualKey("tab", "a\tb"),
                new UnusualKey("DEL and escape", "\u007f\u001b[31m"),
                new UnusualKey("umlauts", "Stra\u00dfe \u00e4\u00f6\u00fc"),
                new UnusualKey("right to left", "\u0645\u0641\u062a\u0627\u062d"),
                new UnusualKey("ideographs", "\u9470\u5319"),
                new UnusualKey("emoji", "\ud83d\udd12 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"),
                new UnusualKey("byte order mark", "\ufeffa"),
                new UnusualKey("line separator", "a\u2028b"),
                new UnusualKey("a noncharacter", "a\uffff"),
                new UnusualKey("1 MB", "m".repeat(1 << 20)),
                new UnusualKey("1 MB of emoji", "\ud83d\udd12".repeat(1 << 18))));
        for (int length = longest() - 1; length <= longest() + 1; length++) {
            all.add(new UnusualKey(length + " characters", "k".repeat(length)));
            all.add(new UnusualKey(length + " bytes of two", "\u00e4".repeat(length / 2) + "k".repeat(length % 2)));
        }
        return all;
    }

    /**
     * The maximum length of a key that is stored unchanged, in the namespace of a contract test with its 38 characters.
     */
    private static int longest() {
        String namespace = "c-00000000-0000-0000-0000-000000000000";
        int length = 1;
        while (LockId.of(namespace, "k".repeat(length + 1)).encoded().endsWith("k")) {
            length++;
        }
        return length;
    }

    /** Returns the name and the length, because the key itself may be long or unprintable. */
    @Override
    public String toString() {
        return name + " (" + key.getBytes(StandardCharsets.UTF_8).length + " bytes)";
    }
}
