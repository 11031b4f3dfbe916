package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.leasehold.LockHandle;
import io.leasehold.LockLostException;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import io.leasehold.aop.transaction.SpringTransactionBinding;
import io.leasehold.aop.transaction.TransactionAwareLocker;
import io.leasehold.locker.DelegatingLockHandle;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.test.LockAssertions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks that a program takes inside a transaction. */
class TransactionAwareLockerTests {

    private final RecordingLocker locks = new RecordingLocker("default");

    private final Locker locker = TransactionAwareLocker.of(locks);

    private final FakeTransactions transactions = new FakeTransactions();

    private final TransactionTemplate transaction = transactions.template(PROPAGATION_REQUIRED);

    private final TransactionTemplate newTransaction = transactions.template(PROPAGATION_REQUIRES_NEW);

    private final TransactionTemplate noTransaction = transactions.template(PROPAGATION_NOT_SUPPORTED);

    @Test
    void executeLockedKeepsTheLockUntilTheTransactionHasCommitted() {
        List<Boolean> held = new ArrayList<>();
        transaction.executeWithoutResult(status -> {
            execute("a", () -> {});
            held.add(locks.isHeld("a"));
            afterCommit(() -> held.add(locks.isHeld("a")));
        });
        assertThat(held).containsExactly(true, true);
        assertThat(transactions.outcomes).containsExactly("committed");
        assertThat(locks.isHeld("a")).isFalse();
        assertThat(locks.granted.get(0).releases()).isEqualTo(1);
    }

    /** A stream of JPA can be read only inside the transaction, which still has the lock. */
    @Test
    void aTransactionReadsAStreamUnderTheLock() {
        List<String> read = transaction.execute(status -> streamed().toList());
        assertThat(read).containsExactly("row");
        assertThatIllegalStateException().isThrownBy(this::streamed).withMessageContaining("goes on without the lock");
    }

    /** A future may outlive the transaction. */
    @Test
    void aTransactionGetsNoFutureThatIsNotDone() {
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.execute(status -> executed(() -> new CompletableFuture<>())));
        assertThat(transactions.outcomes).containsExactly("rolled back");
    }

    private Stream<String> streamed() {
        return executed(() -> Stream.of("row"));
    }

    private <T> T executed(Callable<T> work) {
        try {
            return locker.executeLocked("a", work);
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void lockedMethodsMayUseALockerThatTheApplicationWrapsAroundOneOfOurs() {
        Locker wrapped = new DelegatingLocker(locker) {};
        SpringTransactionBinding binding = new SpringTransactionBinding();
        transaction.executeWithoutResult(status -> {
            LockHandle handle = wrapped.withoutTransactions().lock("a");
            assertThat(binding.takeOver(List.of(handle), true)).isTrue();
            assertThat(locks.isHeld("a")).isTrue();
        });
        assertThat(locks.isHeld("a")).isFalse();
        assertThat(locks.granted.get(0).releases()).isEqualTo(1);
    }

    /** Nothing would ever end it, since neither the caller nor the transaction has its handle. */
    @Test
    void aLockThatCannotBeBoundToTheTransactionIsReleased() {
        Locker broken = TransactionAwareLocker.of(new DelegatingLocker(locks) {
            @Override
            public Optional<LockHandle> tryLock(LockRequest request) {
                return super.tryLock(request).map(WithoutSpace::new);
            }
        });
        assertThatIllegalStateException()
                .isThrownBy(() -> transaction.executeWithoutResult(status -> broken.lock("a")))
                .withMessage("planted");
        assertThat(locks.isHeld("a")).isFalse();
        assertThat(transactions.outcomes).containsExactly("rolled back");
    }

    private record WithoutSpace(LockHandle delegate) implements DelegatingLockHandle {

        @Override
        public Object lockSpace() {
            throw new IllegalStateException("planted");
        }

        @Override
        public CompletionStage<Boolean> releaseAsync() {
            return delegate.releaseAsync();
        }
    }

    @Test
    void aHandleThatIsClosedIsHeldUntilTheTransactionEnds() {
        LockHandle handle = transaction.execute(status -> {
            LockHandle taken = locker.lock("a");
            assertThat(taken.release()).isTrue();
            taken.close();
            assertThat(taken.releaseAsync().toCompletableFuture()).isCompletedWithValue(true);
            assertThat(taken.isHeld()).isTrue();
            assertThat(locks.isHeld("a")).isTrue();
            return taken;
        });
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.release()).isFalse();
        assertThat(locks.isHeld("a")).isFalse();
    }

    @Test
    void aHandleThatIsNotClosedEndsWithTheTransaction() {
        transaction.executeWithoutResult(status -> locker.tryLock("a").orElseThrow());
        assertThat(locks.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithARollback() {
        transaction.executeWithoutResult(status -> {
            execute("a", () -> {});
            status.setRollbackOnly();
        });
        assertThat(transactions.outcomes).containsExactly("rolled back");
        assertThat(locks.isHeld("a")).isFalse();
    }

    @Test
    void theLockEndsWithACommitThatFails() {
        transactions.commitFails = true;
        assertThatExceptionOfType(TransactionSystemException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> execute("a", () -> {})));
        assertThat(locks.isHeld("a")).isFalse();
    }

    @Test
    void aTransactionDoesNotCommitAfterALoss() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    execute("a", () -> {});
                    locks.lose("a");
                }));
        assertThat(transactions.outcomes).containsExactly("rolled back");
    }

    @Test
    void aReadOnlyTransactionCommitsAfterALoss() {
        transaction.setReadOnly(true);
        transaction.executeWithoutResult(status -> {
            execute("a", () -> {});
            locks.lose("a");
        });
        assertThat(transactions.outcomes).containsExactly("committed");
    }

    @Test
    void furtherCallsInTheTransactionJoinTheLock() {
        transaction.executeWithoutResult(status -> {
            execute("a", () -> execute("a", () -> {}));
            execute("a", () -> {});
            LockHandle first = locker.lock("a");
            LockHandle second = locker.tryLock("a").orElseThrow();
            first.close();
            assertThat(second.isHeld()).isTrue();
        });
        assertThat(locks.requestedKeys()).containsExactly("a");
        assertThat(locks.granted.get(0).releases()).isEqualTo(1);
    }

    @Test
    void aNewTransactionJoinsTheLockOfTheSuspendedOne() {
        transaction.executeWithoutResult(status -> {
            execute("a", () -> {});
            newTransaction.executeWithoutResult(inner -> execute("a", () -> {}));
            assertThat(locks.isHeld("a")).isTrue();
        });
        assertThat(locks.requestedKeys()).containsExactly("a");
        assertThat(transactions.outcomes).containsExactly("committed", "committed");
    }

    @Test
    void aNewTransactionDoesNotCommitAfterTheLossOfALockThatItJoined() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                    execute("a", () -> {});
                    newTransaction.executeWithoutResult(inner -> {
                        execute("a", () -> {});
                        locks.lose("a");
                    });
                }));
        assertThat(transactions.outcomes).containsExactly("rolled back", "rolled back");
    }

    @Test
    void theLockOfANewTransactionEndsWithIt() {
        transaction.executeWithoutResult(status -> {
            newTransaction.executeWithoutResult(inner -> execute("a", () -> {}));
            assertThat(locks.isHeld("a")).isFalse();
            execute("a", () -> {});
            assertThat(locks.isHeld("a")).isTrue();
        });
        assertThat(locks.isHeld("a")).isFalse();
    }

    @Test
    void withoutATransactionTheLockEndsWithItsHandle() {
        execute("a", () -> assertThat(locks.isHeld("a")).isTrue());
        assertThat(locks.isHeld("a")).isFalse();
        transaction.executeWithoutResult(status -> noTransaction.executeWithoutResult(none -> {
            execute("a", () -> {});
            assertThat(locks.isHeld("a")).isFalse();
        }));
    }

    /** As those of JMS, Kafka, RabbitMQ and Pulsar. */
    @Test
    void aTransactionWithoutSynchronizationKeepsNoLock() {
        FakeTransactions unsynchronized = new FakeTransactions();
        unsynchronized.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        TransactionTemplate messaging = unsynchronized.template(PROPAGATION_REQUIRED);
        messaging.executeWithoutResult(status -> {
            execute("a", () -> {});
            assertThat(locks.isHeld("a")).isFalse();
        });
        transaction.executeWithoutResult(outer -> messaging.executeWithoutResult(status -> {
            execute("a", () -> {});
            assertThat(locks.isHeld("a")).isFalse();
        }));
        messaging.executeWithoutResult(outer -> {
            transaction.executeWithoutResult(status -> {
                execute("a", () -> {});
                assertThat(locks.isHeld("a")).isTrue();
            });
            assertThat(locks.isHeld("a")).isFalse();
        });
        assertThat(unsynchronized.outcomes).containsExactly("committed", "committed", "committed");
    }

    @Test
    void whileTheTransactionIsSuspendedItsLockIsJoined() {
        transaction.executeWithoutResult(status -> {
            execute("a", () -> {});
            noTransaction.executeWithoutResult(none -> execute("a", () -> {}));
            assertThat(locks.isHeld("a")).isTrue();
        });
        assertThat(locks.requestedKeys()).containsExactly("a");
    }

    @Test
    void aLockThatWasNotGrantedIsNotKept() {
        locks.holdElsewhere("a");
        transaction.executeWithoutResult(status -> {
            assertThat(locker.tryLock("a")).isEmpty();
            assertThat(TransactionSynchronizationManager.getSynchronizations()).isEmpty();
        });
        LockAssertions.assertThat(locks).isLocked("a");
    }

    @Test
    void locksWithoutTransactionsEndWithTheirHandle() {
        transaction.executeWithoutResult(status -> {
            locker.withoutTransactions().lock("a").close();
            assertThat(locks.isHeld("a")).isFalse();
        });
    }

    @Test
    void asynchronousCallsTakeNoPart() {
        transaction.executeWithoutResult(status -> {
            LockHandle handle = locker.tryLockAsync(LockRequest.of("a"))
                    .toCompletableFuture()
                    .join()
                    .orElseThrow();
            handle.close();
            assertThat(locks.isHeld("a")).isFalse();
        });
    }

    @Test
    void afterTheTransactionTheLockIsTakenAnew() {
        transaction.executeWithoutResult(status -> execute("a", () -> {}));
        transaction.executeWithoutResult(status -> {
            afterCompletion(() -> execute("b", () -> {}));
            execute("a", () -> {});
        });
        assertThat(locks.requestedKeys()).containsExactly("a", "a", "b");
        assertThat(locks.heldCount()).isZero();
    }

    private void execute(String key, Runnable work) {
        try {
            locker.executeLocked(key, () -> {
                work.run();
                return key;
            });
        } catch (RuntimeException ex) {
            throw ex;
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static void afterCommit(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        });
    }

    private static void afterCompletion(Runnable action) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        });
    }
}
