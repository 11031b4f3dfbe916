package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KnownFencesTests {

    private final KnownFences fences = new KnownFences();

    @Test
    void whatIsLearntIsKnownUntilItIsForgotten() {
        KnownFence known = fence("a", 1);
        fences.learn(known, fences.era());
        assertThat(fences.find(LockId.of("ns", "a"))).isSameAs(known);
        assertThat(fences.find(LockId.of("ns", "b"))).isNull();
        fences.forgetAll();
        assertThat(fences.find(known.id())).isNull();
    }

    @Test
    void theLaterOfTwoReplacesTheFirst() {
        KnownFence first = fence("a", 1);
        KnownFence second = fence("a", 2);
        fences.learn(first, fences.era());
        fences.learn(second, fences.era());
        assertThat(fences.find(first.id())).isSameAs(second);
        assertThat(fences.replace(first, first.raised(1))).isFalse();
        assertThat(fences.replace(second, null)).isTrue();
        assertThat(fences.find(first.id())).isNull();
    }

    @Test
    void itsRoomIsBounded() {
        LongStream.range(0, 10_000).forEach(n -> fences.learn(fence("k" + n, n), fences.era()));
        long kept = LongStream.range(0, 10_000)
                .filter(n -> fences.find(LockId.of("ns", "k" + n)) != null)
                .count();
        assertThat(kept).isBetween(200L, 256L);
        assertThat(fences.find(LockId.of("ns", "k9999"))).isNotNull();
    }

    private static KnownFence fence(String key, long seen) {
        return KnownFence.granted(LockId.of("ns", key), 1_000_000, 1_000_000, seen);
    }
}
