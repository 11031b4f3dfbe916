package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that fencing tokens increase, regardless of the events between two grants. */
public interface FenceContract extends StoreUnderTest {

    @Test
    default void fencesRiseAcrossReleases() {
        long last = 0;
        for (int i = 0; i < 50; i++) {
            StoreClient client = i % 2 == 0 ? store() : otherProcess();
            Held held = client.grant("a");
            assertThat(held.firstFence()).isGreaterThan(last);
            last = held.firstFence();
            client.release(held);
        }
    }

    @Test
    default void fencesRiseAcrossExpiry() {
        Held expired = store().grant(store().id("a"), shortTtl());
        passShortTtl();
        assertThat(otherProcess().grant("a").firstFence()).isGreaterThan(expired.firstFence());
    }

    @Test
    default void fencesRiseAcrossAWipeWhileHeld() {
        Held wiped = store().grant("a");
        wipe();
        assertThat(otherProcess().grant("a").firstFence()).isGreaterThan(wiped.firstFence());
    }

    @Test
    default void fencesRiseAcrossAWipeAfterManyGrants() {
        long last = 0;
        for (int i = 0; i < 20; i++) {
            Held held = store().grant("a");
            last = held.firstFence();
            store().release(held);
        }
        wipe();
        assertThat(otherProcess().grant("a").firstFence()).isGreaterThan(last);
    }

    /** As the engine's grants, each of which reserves tokens for the next callers of its process. */
    @Test
    default void fencesRiseAcrossAWipeAfterManyBlocks() {
        long free = 1;
        for (int i = 0; i < 20; i++) {
            free = grantBlock(store(), 8, free);
        }
        wipe();
        grantBlock(otherProcess(), 8, free);
    }

    @Test
    default void fencesRiseAcrossARetainedLease() {
        Held kept = store().grant("a");
        store().release(kept, shortTtl());
        passShortTtl();
        assertThat(otherProcess().grant("a").firstFence()).isGreaterThan(kept.firstFence());
    }

    @Test
    default void aBlockIsReservedAsAWhole() {
        Held block = store().grant(store().id("a"), LONG, 100);
        store().release(block);
        assertThat(otherProcess().grant("a").firstFence()).isGreaterThanOrEqualTo(block.firstFence() + 100);
    }

    @Test
    default void blocksOfMixedSizesDoNotOverlap() {
        int[] sizes = {1, 5, 100, 1_000};
        long free = 1;
        for (int before : sizes) {
            for (int after : sizes) {
                free = grantBlock(store(), before, free);
                free = grantBlock(otherProcess(), after, free);
            }
        }
    }

    @Test
    default void blocksOfExpiredLeasesAreNotGivenAgain() {
        Held block = store().grant(store().id("a"), shortTtl(), 1_000);
        passShortTtl();
        assertThat(otherProcess().grant(store().id("a"), LONG, 1_000).firstFence())
                .isGreaterThanOrEqualTo(block.firstFence() + 1_000);
    }

    @Test
    default void theFencesOfEachKeyRise() {
        long lastOfA = 0;
        long lastOfB = 0;
        for (int i = 0; i < 10; i++) {
            Held a = store().grant(store().id("a"), LONG, 3);
            Held b = store().grant(store().id("b"), LONG, 7);
            assertThat(a.firstFence()).isGreaterThan(lastOfA);
            assertThat(b.firstFence()).isGreaterThan(lastOfB);
            lastOfA = a.firstFence() + 2;
            lastOfB = b.firstFence() + 6;
            store().release(a);
            store().release(b);
        }
    }

    @Test
    default void aRefusedAcquisitionDoesNotChangeTheBlockOfTheHolder() {
        Held held = store().grant(store().id("a"), LONG, 10);
        for (int i = 0; i < 5; i++) {
            otherProcess().busy(held.id());
        }
        assertThat(store().acquire(new AcquireCommand(held.id(), held.token(), LONG, 10, false)))
                .extracting("firstFence")
                .isEqualTo(held.firstFence());
        assertThat(store().release(held, Duration.ZERO)).isEqualTo(ReleaseAnswer.RELEASED);
    }

    private static long grantBlock(StoreClient client, int size, long free) {
        Held held = client.grant(client.id("a"), LONG, size);
        assertThat(held.firstFence()).isGreaterThanOrEqualTo(free);
        assertThat(client.release(held)).isEqualTo(ReleaseAnswer.RELEASED);
        return held.firstFence() + size;
    }
}
