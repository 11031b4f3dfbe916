package io.leasehold.jdbc.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The end of a grant wakes one waiter, even if it is reported several times, and the next one if that one is gone. */
class WaiterQueueTests {

    private static final byte[] KEY = {1, 2, 3};

    private final AtomicLong clock = new AtomicLong(System.nanoTime());

    private final WaiterQueue turns = new WaiterQueue(clock::get);

    private final List<CompletableFuture<Void>> waiting =
            Stream.generate(this::join).limit(3).toList();

    @Test
    void aReleaseThatIsNotifiedAndThenPolledWakesOneWaiter() {
        turns.free(KEY, 7);
        turns.free(KEY, 7);
        assertThat(waiting).filteredOn(CompletableFuture::isDone).containsExactly(waiting.get(0));
    }

    @Test
    void theNextReleaseWakesTheNextWaiter() {
        turns.free(KEY, 7);
        turns.free(KEY, 8);
        turns.free(KEY, 8);
        assertThat(waiting).filteredOn(CompletableFuture::isDone).containsExactly(waiting.get(0), waiting.get(1));
    }

    @Test
    void aWaiterThatHasGivenUpIsPassedOver() {
        waiting.get(0).cancel(false);
        turns.free(KEY, 7);
        assertThat(waiting).filteredOn(CompletableFuture::isDone).containsExactly(waiting.get(0), waiting.get(1));
    }

    @Test
    void aLockThatIsStillFreeAfterAWhileWakesTheNextWaiter() {
        turns.free(KEY, 7);
        clock.addAndGet(WaiterQueue.PASSED_OVER_AFTER.toNanos() - 1);
        turns.free(KEY, 7);
        assertThat(waiting).filteredOn(CompletableFuture::isDone).containsExactly(waiting.get(0));
        clock.incrementAndGet();
        turns.free(KEY, 7);
        turns.free(KEY, 7);
        assertThat(waiting).filteredOn(CompletableFuture::isDone).containsExactly(waiting.get(0), waiting.get(1));
    }

    private CompletableFuture<Void> join() {
        CompletableFuture<Void> turn = new CompletableFuture<>();
        turns.join(KEY, turn);
        return turn;
    }
}
