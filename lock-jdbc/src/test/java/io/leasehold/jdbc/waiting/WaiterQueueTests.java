package io.leasehold.jdbc.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The end of a grant wakes one waiter, even if it is reported several times. */
class WaiterQueueTests {

    private static final byte[] KEY = {1, 2, 3};

    private final WaiterQueue turns = new WaiterQueue();

    private final List<CompletableFuture<Void>> waiting =
            Stream.generate(() -> turns.join(KEY)).limit(3).toList();

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
}
