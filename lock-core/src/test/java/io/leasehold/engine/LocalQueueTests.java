package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockHandle;
import io.leasehold.LockInterruptedException;
import io.leasehold.LockListener;
import io.leasehold.LockRequest;
import io.leasehold.LockerStatus;
import io.leasehold.LossReason;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers of one process that wait for the same lock: their order, and the lease that they share. */
class LocalQueueTests extends EngineInVirtualTime {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void firstComeFirstServed() {
        LockHandle holder = locker.lock("service");
        List<CompletableFuture<Optional<LockHandle>>> line = fourInLine();
        for (CompletableFuture<Optional<LockHandle>> next : line) {
            assertThat(line.subList(line.indexOf(next), 4)).noneMatch(CompletableFuture::isDone);
            assertThat(holder.release()).isTrue();
            holder = next.getNow(Optional.empty()).orElseThrow();
        }
        holder.close();
        assertThat(locker.queues().all()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aWaiterThatLeavesTheQueueIsSkipped(int leaver) {
        LockHandle holder = locker.lock("service");
        List<CompletableFuture<Optional<LockHandle>>> line = fourInLine();
        line.remove(leaver).cancel(true);
        line.add(wait(LockRequest.of("service")));
        assertThat(locker.status().waiting()).isEqualTo(4);
        for (CompletableFuture<Optional<LockHandle>> next : line) {
            holder.close();
            holder = next.getNow(Optional.empty()).orElseThrow();
        }
        holder.close();
        assertThat(backend.acquired).hasSize(1);
        assertThat(locker.queues().all()).isEmpty();
        assertThat(locker.status().waiting()).isZero();
    }

    /** The time for hand-overs is over, and the next holder would lose the time of the listener. */
    @Test
    void aLeaseIsNotHandedOverAfterASlowListener() {
        LeaseLocker slow = time.engine(new LockListener() {
                    @Override
                    public void released(LockHandle handle, Duration held) {
                        time.pass(Duration.ofSeconds(1));
                    }
                })
                .locker(VirtualTime.settings("slow").withTtl(TTL), "scripted", backend);
        LockHandle first = slow.lock("service");
        CompletableFuture<Optional<LockHandle>> next =
                slow.tryLockAsync(LockRequest.of("service").withWaitTime(LONG)).toCompletableFuture();
        first.close();
        assertThat(next).isCompleted();
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void theNextWaiterFollowsACallerOfTheStoreThatGivesUp() {
        backend.onAcquire = command -> ScriptedBackend.done(new Busy(LONG, ScriptedBackend.never(), true));
        CompletableFuture<Optional<LockHandle>> first = wait(LockRequest.of("service"));
        CompletableFuture<Optional<LockHandle>> second = wait(LockRequest.of("service"));
        assertThat(backend.acquired).hasSize(1);
        first.cancel(true);
        assertThat(backend.acquired).hasSize(2);
        assertThat(second).isNotDone();
        second.cancel(true);
        assertThat(locker.queues().all()).isEmpty();
    }

    @Test
    void aLeaseWithOtherTermsIsNotHandedOver() {
        LockHandle holder = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> other =
                wait(LockRequest.of("service").withTtl(Duration.ofMinutes(2)));
        holder.close();
        assertThat(other.getNow(Optional.empty())).isPresent();
        assertThat(backend.released).hasSize(1);
        assertThat(backend.acquired).hasSize(2);
        assertThat(backend.acquired.get(1).ttl()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aLeaseThatIsNotRenewedIsNotHandedOver() {
        LockHandle holder = locker.lock(LockRequest.of("service").withAutoRenew(false));
        CompletableFuture<Optional<LockHandle>> next =
                wait(LockRequest.of("service").withAutoRenew(false));
        holder.close();
        assertThat(next.getNow(Optional.empty())).isPresent();
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void aLeaseThatIsMoreThanHalfOverIsNotHandedOver() {
        backend.onRenew = commands -> ScriptedBackend.never();
        LockRequest brief = LockRequest.of("service").withTtl(Duration.ofMillis(24));
        LockHandle holder = locker.lock(brief);
        CompletableFuture<Optional<LockHandle>> next = wait(brief);
        time.pass(Duration.ofMillis(8));
        holder.close();
        LockHandle fresh = next.getNow(Optional.empty()).orElseThrow();
        assertThat(backend.acquired).hasSize(1);

        CompletableFuture<Optional<LockHandle>> another = wait(brief);
        time.pass(Duration.ofMillis(4));
        fresh.close();
        assertThat(another.getNow(Optional.empty())).isPresent();
        assertThat(backend.acquired).hasSize(2);
    }

    /** The next holder would be renewed, and told of a loss, after an hour. */
    @Test
    void aLeaseThatWasRenewedForLongerThanItsTtlIsNotHandedOver() {
        LockHandle holder = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> next = wait(LockRequest.of("service"));
        holder.renew(Duration.ofHours(1));
        holder.close();
        assertThat(next.getNow(Optional.empty()))
                .hasValueSatisfying(lock -> assertThat(lock.remaining()).isLessThanOrEqualTo(TTL));
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void aLeaseWithHalfOfItsTtlLeftIsNotHandedOver() {
        LockRequest brief = LockRequest.of("service").withTtl(Duration.ofMillis(24));
        LockHandle holder = locker.lock(brief);
        time.freeze(holder.remaining().minusMillis(12).minusNanos(1));
        CompletableFuture<Optional<LockHandle>> next = wait(brief);
        CompletableFuture<Optional<LockHandle>> another = wait(brief);
        holder.close();
        assertThat(next).isDone();
        assertThat(backend.acquired).hasSize(1);
        time.freeze(Duration.ofNanos(1));
        next.join().orElseThrow().close();
        assertThat(another).isDone();
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void aLeaseIsNotHandedOverAfterASuspension() {
        LockHandle holder = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> next = wait(LockRequest.of("service"));
        time.moveWall(Duration.ofMinutes(10));
        holder.close();
        assertThat(next.getNow(Optional.empty())).isPresent();
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void theNextWaiterAsksTheStoreOnlyAfterTheAnswerToTheRelease() {
        LeaseLocker alone = engine.locker(VirtualTime.settings("alone").withMaxLocalHandoffs(0), "scripted", backend);
        LockHandle holder = alone.lock("service");
        CompletableFuture<Optional<LockHandle>> next =
                alone.tryLockAsync(LockRequest.of("service").withWaitTime(LONG)).toCompletableFuture();
        CompletableFuture<ReleaseAnswer> answer = ScriptedBackend.never();
        backend.onRelease = command -> answer;
        holder.releaseAsync();
        assertThat(backend.acquired).hasSize(1);
        answer.complete(ReleaseAnswer.RELEASED);
        assertThat(next.getNow(Optional.empty())).isPresent();
        assertThat(backend.acquired).hasSize(2);
    }

    @Test
    void theStatusNamesHeldLocksAndCountsWaiters() {
        LockHandle holder = locker.lock("service");
        wait(LockRequest.of("service"));
        backend.onAcquire = command -> ScriptedBackend.never();
        wait(LockRequest.of("asked for"));
        LockerStatus status = locker.status();
        assertThat(status.locker()).isEqualTo("deploy");
        assertThat(status.backend()).isEqualTo("scripted");
        assertThat(status.held()).containsExactly(holder);
        assertThat(status.waiting()).isOne();
        assertThat(status.waiters()).extracting(LockerStatus.Waiter::key).containsExactly("service");
        assertThat(status.pendingRemovals()).isZero();
    }

    @Test
    void aLeaseIsLostOnce() {
        LockHandle holder = locker.lock("service");
        Lease lease = locker.queues().all().stream()
                .map(LocalQueue::lease)
                .findFirst()
                .orElseThrow();
        lease.lose(LossReason.EXPIRED);
        lease.lose(LossReason.SHUTDOWN);
        assertThat(holder.isHeld()).isFalse();
        assertThat(listener.events).containsExactly("acquire ACQUIRED", "lost EXPIRED");
        time.pass(Duration.ofMinutes(1));
        assertThat(backend.released).hasSize(1);
        assertThat(backend.released.get(0).token())
                .isEqualTo(backend.acquired.get(0).token());
        assertThat(lease.release((LeaseHandle) holder).await()).isFalse();
        assertThat(backend.released).hasSize(1);
    }

    @Test
    void onlyAWaiterBehindTheHeadLeavesByItself() {
        LocalQueue.Waiter head = new LocalQueue.Waiter(new Asleep());
        LocalQueue.Waiter behind = new LocalQueue.Waiter(new Asleep());
        assertThat(head.join(locker.queues(), true)).isTrue();
        assertThat(behind.join(locker.queues(), true)).isTrue();
        assertThat(head.leave()).isFalse();
        assertThat(behind.leave()).isTrue();
        assertThat(head.queue().waiters()).containsExactly(head);
    }

    private List<CompletableFuture<Optional<LockHandle>>> fourInLine() {
        List<CompletableFuture<Optional<LockHandle>>> line = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add(wait(LockRequest.of("service")));
        }
        return line;
    }

    private CompletableFuture<Optional<LockHandle>> wait(LockRequest request) {
        return locker.tryLockAsync(request.withWaitTime(LONG)).toCompletableFuture();
    }

    /** A caller that does nothing when it is signalled. */
    private final class Asleep implements LocalQueue.Caller {

        @Override
        public String key() {
            return "service";
        }

        @Override
        public LeaseTerms terms() {
            return LeaseTerms.of("deploy", TTL, true, null, Duration.ZERO, null);
        }

        @Override
        public long startedAt() {
            return time.nanos();
        }

        @Override
        public @Nullable Thread thread() {
            return null;
        }

        @Override
        public void signal() {}
    }

    /** The store may have executed it, and the answer may still come. */
    @Test
    void aLeaseIsNotHandedOverAfterALongerRenewalWithoutAnAnswer() {
        LockHandle holder = locker.lock("service");
        CompletableFuture<Optional<LockHandle>> next = wait(LockRequest.of("service"));
        backend.onRenew = commands -> ScriptedBackend.never();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> holder.renew(LONG)).isInstanceOf(LockInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        holder.release();
        assertThat(next.join()).isPresent();
        assertThat(backend.acquired).hasSize(2);
    }
}
