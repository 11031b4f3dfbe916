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
public record TrickyKey(String name, String key) {

    /** Returns all such keys. No two of them are equal. */
    public static List<TrickyKey> all() {
        List<TrickyKey> all = new ArrayList<>(List.of(
                new TrickyKey("braces", "{}"),
                new TrickyKey("a tag", "{a}"),
                new TrickyKey("a tag and more", "{a}b"),
                new TrickyKey("braces the wrong way round", "a}{b"),
                new TrickyKey("an open brace", "{a"),
                new TrickyKey("colons", "a:b::c:"),
                new TrickyKey("a leading colon", ":a"),
                new TrickyKey("our own suffix", "a:fence"),
                new TrickyKey("spaces", " a b  c "),
                new TrickyKey("slashes", "/a//b/../c\\d"),
                new TrickyKey("quotes", "a'b\"c`d;--"),
                new TrickyKey("wildcards", "*a?[b]_%"),
                new TrickyKey("percent", "100%"),
                new TrickyKey("an escape", "a%7Bb"),
                new TrickyKey("NUL", "a\0b"),
                new TrickyKey("CRLF", "a\r\nb"),
                new TrickyKey("a trailing line feed", "a\n"),
                new TrickyKey("tab", "a\tb"),
                new TrickyKey("DEL and escape", "\u007f\u001b[31m"),
                new TrickyKey("umlauts", "Stra\u00dfe \u00e4\u00f6\u00fc"),
                new TrickyKey("right to left", "\u0645\u0641\u062a\u0627\u062d"),
                new TrickyKey("ideographs", "\u9470\u5319"),
                new TrickyKey("emoji", "\ud83d\udd12 \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"),
                new TrickyKey("byte order mark", "\ufeffa"),
                new TrickyKey("line separator", "a\u2028b"),
                new TrickyKey("a noncharacter", "a\uffff"),
                new TrickyKey("1 MB", "m".repeat(1 << 20)),
                new TrickyKey("1 MB of emoji", "\ud83d\udd12".repeat(1 << 18))));
        for (int length = longest() - 1; length <= longest() + 1; length++) {
            all.add(new TrickyKey(length + " characters", "k".repeat(length)));
            all.add(new TrickyKey(length + " bytes of two", "\u00e4".repeat(length / 2) + "k".repeat(length % 2)));
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
