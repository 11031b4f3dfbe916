package io.leasehold.spi;

import java.util.List;
import java.util.Random;

/** Generates keys from pieces that escaping and shortening may confuse. */
final class KeyGenerator {

    static final List<String> PIECES = List.of(
            "{",
            "}",
            "%",
            "%7B",
            "%25",
            "%#",
            "#",
            ":",
            "7",
            "B",
            "b",
            "a",
            "A",
            " ",
            "\0",
            "\n",
            "\r",
            "\t",
            "\u007f",
            "\u0085",
            "\u00e4",
            "a\u0308",
            "\u2028",
            "\u9470",
            "\ud83d\udd12",
            "\uffff");

    private final Random random;

    KeyGenerator(Random random) {
        this.random = random;
    }

    String key() {
        while (true) {
            String key = switch (random.nextInt(4)) {
                case 0 -> pieces(1 + random.nextInt(200));
                case 1 -> filled(450 + random.nextInt(80));
                default -> pieces(1 + random.nextInt(6));
            };
            if (!key.isBlank()) {
                return key;
            }
        }
    }

    String namespace() {
        return List.of("a", "A", "a.b", "a-b", "a_b", "7", "n".repeat(127), "n".repeat(128))
                .get(random.nextInt(8));
    }

    private String pieces(int count) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < count; i++) {
            key.append(piece());
        }
        return key.toString();
    }

    /** Fills a key to about the greatest length without shortening, so that keys lie on both sides of the limit. */
    private String filled(int length) {
        String end = piece() + piece();
        return "k".repeat(length) + end;
    }

    private String piece() {
        return PIECES.get(random.nextInt(PIECES.size()));
    }
}
