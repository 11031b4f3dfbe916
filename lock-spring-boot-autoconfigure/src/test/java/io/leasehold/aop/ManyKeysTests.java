package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.annotation.DistributedLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Calls that take many locks together, each of which is granted immediately. */
class ManyKeysTests {

    private static final List<String> KEYS =
            IntStream.range(0, 10_000).mapToObj(key -> "key-" + key).toList();

    private final LockedBean<Work> bean = LockedBean.of(new Work());

    @Test
    void forAValue() {
        assertThat(bean.proxy().value(KEYS)).isEqualTo(KEYS.size());
        assertThat(bean.locker().heldCount()).isZero();
    }

    @Test
    void forAStage() {
        assertThat(bean.proxy().stage(KEYS)).isCompletedWithValue(KEYS.size());
        assertThat(bean.locker().heldCount()).isZero();
    }

    @Test
    void forAPublisher() {
        assertThat(bean.proxy().publisher(KEYS).block()).isEqualTo(KEYS.size());
        assertThat(bean.locker().heldCount()).isZero();
    }

    static class Work {

        @DistributedLock("#keys")
        public int value(List<String> keys) {
            return LockContext.allOwn().size();
        }

        @DistributedLock("#keys")
        public CompletableFuture<Integer> stage(List<String> keys) {
            return CompletableFuture.completedFuture(LockContext.allOwn().size());
        }

        @DistributedLock("#keys")
        public Mono<Integer> publisher(List<String> keys) {
            return Mono.just(LockContext.allOwn().size());
        }
    }
}
