package io.leasehold.redis.fastpath;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockId;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FenceCacheTests {

    private final FenceCache fences = new FenceCache();

    @Test
    void entriesAreCachedUntilTheyAreCleared() {
        FenceCache.Entry known = fence("a", 1);
        fences.put(known, fences.generation());
        assertThat(fences.find(LockId.of("ns", "a"))).isSameAs(known);
        assertThat(fences.find(LockId.of("ns", "b"))).isNull();
        fences.clear();
        assertThat(fences.find(known.id())).isNull();
    }

    @Test
    void theLaterOfTwoReplacesTheFirst() {
        FenceCache.Entry first = fence("a", 1);
        FenceCache.Entry second = fence("a", 2);
        fences.put(first, fences.generation());
        fences.put(second, fences.generation());
        assertThat(fences.find(first.id())).isSameAs(second);
        assertThat(fences.replace(first, first.raised(1))).isFalse();
        assertThat(fences.replace(second, null)).isTrue();
        assertThat(fences.find(first.id())).isNull();
    }

    @Test
    void itsSizeIsLimited() {
        LongStream.range(0, 10_000).forEach(n -> fences.put(fence("k" + n, n), fences.generation()));
        long kept = LongStream.range(0, 10_000)
                .filter(n -> fences.find(LockId.of("ns", "k" + n)) != null)
                .count();
        assertThat(kept).isBetween(200L, 256L);
        assertThat(fences.find(LockId.of("ns", "k9999"))).isNotNull();
    }

    private static FenceCache.Entry fence(String key, long seen) {
        return FenceCache.Entry.granted(LockId.of("ns", key), 1_000_000, 1_000_000, seen);
    }
}
