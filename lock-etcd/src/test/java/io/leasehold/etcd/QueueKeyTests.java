package io.leasehold.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The layout of the keys of a queue. */
class QueueKeyTests {

    private static final Token TOKEN = new Token(1, 2);

    private static final List<String> NAMES = List.of(
            "a",
            "a/",
            "a/b",
            "a/b/c",
            "/a",
            "a%",
            "a%/",
            "a%/b",
            "a%0",
            "a%2F",
            "a#",
            "a%#",
            "%",
            "%/",
            "a0",
            "aa",
            " a",
            "x".repeat(600),
            "x".repeat(600) + "/",
            "é",
            "a\u0000",
            "{a}");

    @Test
    void noQueuePrefixIsAPrefixOfAnother() {
        List<QueueKey> places = places().toList();
        for (QueueKey queueKey : places) {
            assertThat(places.stream().filter(other -> other.own().startsWith(queueKey.first())))
                    .containsExactly(queueKey);
        }
    }

    @Test
    void aQueueContainsItsOwnKeysOnly() {
        for (QueueKey queueKey : places().toList()) {
            assertThat(places().map(QueueKey::own).filter(key -> isWithin(queueKey, key)))
                    .containsExactly(queueKey.own());
        }
    }

    @Test
    void theTokenIsTheEndOfTheKey() {
        QueueKey queueKey = QueueKey.of("locks/", LockId.of("n", "a"), TOKEN);
        assertThat(queueKey.own().toStringUtf8()).isEqualTo("locks/n:a%/" + TOKEN.value());
    }

    private static Stream<QueueKey> places() {
        return Stream.of("n", "n.m")
                .flatMap(namespace -> NAMES.stream().map(name -> LockId.of(namespace, name)))
                .map(id -> QueueKey.of("locks/", id, TOKEN));
    }

    private static boolean isWithin(QueueKey queueKey, ByteString key) {
        var order = ByteString.unsignedLexicographicalComparator();
        return order.compare(queueKey.first(), key) <= 0 && order.compare(key, queueKey.end()) < 0;
    }
}
