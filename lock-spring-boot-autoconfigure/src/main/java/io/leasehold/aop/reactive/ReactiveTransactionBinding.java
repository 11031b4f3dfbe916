package io.leasehold.aop.reactive;

import io.leasehold.LockHandle;
import io.leasehold.aop.invocation.AcquiredLocks;
import io.leasehold.aop.invocation.LockLosses;
import io.leasehold.aop.reactive.TransactionTurns.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The locks that end with the transaction of a Reactor context. */
interface ReactiveTransactionBinding {

    /** The binding if there are no transactions. */
    ReactiveTransactionBinding NONE = new ReactiveTransactionBinding() {

        @Override
        public Turn turn(ContextView context, Supplier<Object> lockSpace, List<String> keys) {
            return Turn.IMMEDIATE;
        }

        @Override
        public boolean isActive(ContextView context) {
            return false;
        }

        @Override
        public List<LockHandle> kept(ContextView context) {
            return List.of();
        }

        @Override
        public boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto) {
            return false;
        }

        @Override
        public void requireHeldAtCommit(ContextView context, List<LockHandle> joined) {}
    };

    /**
     * The turn of a call among those that acquire locks in the transaction of the context.
     *
     * @param lockSpace the identity of the locks of its locker; only asked for in a transaction
     */
    Turn turn(ContextView context, Supplier<Object> lockSpace, List<String> keys);

    /** Whether a transaction is active in the context. */
    boolean isActive(ContextView context);

    /** The locks that the transaction of the context keeps. */
    List<LockHandle> kept(ContextView context);

    /**
     * Leaves the release of some locks to the transaction that is active in the context.
     *
     * @param veto whether the transaction must not commit if one of them is lost
     * @return false if no transaction is active; the locks were then not taken over
     */
    boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto);

    /**
     * Prevents the commit of the transaction that is active in the context after the loss of a joined lock, if a
     * suspended transaction keeps the lock and must not commit without it either.
     */
    void requireHeldAtCommit(ContextView context, List<LockHandle> joined);

    static ReactiveTransactionBinding ofClassPath() {
        return ClassUtils.isPresent(
                        "org.springframework.transaction.reactive.TransactionContext",
                        ReactiveTransactionBinding.class.getClassLoader())
                ? new SpringTransactions()
                : NONE;
    }

    /** Binds locks to the transaction that Spring keeps in a Reactor context. */
    static final class SpringTransactions implements ReactiveTransactionBinding {

        private static final Object TURNS = TransactionTurns.class;

        @Override
        public Turn turn(ContextView context, Supplier<Object> lockSpace, List<String> keys) {
            return with(context, transaction -> {
                        if (!transaction.hasResource(TURNS)) {
                            transaction.bindResource(TURNS, new TransactionTurns());
                        }
                        if (LateLocks.of(transaction).isEmpty()) {
                            transaction.registerSynchronization(new LateLocks());
                        }
                        TransactionTurns turns =
                                (TransactionTurns) Objects.requireNonNull(transaction.getResource(TURNS));
                        return turns.next(lockSpace.get(), keys);
                    })
                    .orElse(Turn.IMMEDIATE);
        }

        @Override
        public boolean isActive(ContextView context) {
            return with(context, TransactionSynchronizationManager::isActualTransactionActive)
                    .orElse(false);
        }

        @Override
        public List<LockHandle> kept(ContextView context) {
            return with(context, LockSynchronization::kept).orElse(List.of());
        }

        @Override
        public boolean takeOver(ContextView context, List<LockHandle> handles, boolean veto) {
            return with(context, transaction -> {
                        boolean active = transaction.isActualTransactionActive();
                        LockSynchronization locked = new LockSynchronization(handles, veto);
                        Optional<LateLocks> late = LateLocks.of(transaction);
                        return active
                                && (late.isPresent() ? late.get().bind(locked, transaction) : locked.bind(transaction));
                    })
                    .orElse(false);
        }

        @Override
        public void requireHeldAtCommit(ContextView context, List<LockHandle> joined) {
            if (!joined.isEmpty()) {
                with(context, transaction -> {
                    List<LockHandle> handles = new ArrayList<>(LockSynchronization.vetoingSuspended(transaction));
                    handles.retainAll(joined);
                    if (!handles.isEmpty() && transaction.isActualTransactionActive()) {
                        ReactiveCommitVeto.register(transaction, handles, List.of());
                    }
                    return true;
                });
            }
        }

        /**
         * Works on the transaction of a context, if there is one that supports synchronizations. Several locks of one
         * transaction may be granted at the same moment on several threads, and the collections of a transaction are
         * not thread-safe.
         */
        static <T> Optional<T> with(ContextView context, Function<TransactionSynchronizationManager, T> work) {
            TransactionContext transaction = context.getOrDefault(TransactionContext.class, null);
            if (transaction == null) {
                return Optional.empty();
            }
            synchronized (transaction) {
                return Optional.of(new TransactionSynchronizationManager(transaction))
                        .filter(TransactionSynchronizationManager::isSynchronizationActive)
                        .map(work);
            }
        }
    }

    /**
     * Locks that were acquired inside a reactive transaction and end with it.
     *
     * <p>They stay bound to the Reactor context while the transaction is suspended. Calls in between also run under
     * these locks, and join them.
     */
    final class LockSynchronization implements TransactionSynchronization {

        private static final Object RESOURCE = LockSynchronization.class;

        private final List<LockHandle> handles;

        private final boolean veto;

        private volatile @Nullable TransactionSynchronizationManager boundTo;

        private volatile boolean completed;

        private volatile boolean releasesLast;

        LockSynchronization(List<LockHandle> handles, boolean veto) {
            this.handles = List.copyOf(handles);
            this.veto = veto;
        }

        /** All locks of a transaction and of the transactions that it has suspended. */
        static List<LockHandle> kept(TransactionSynchronizationManager transaction) {
            return bound(transaction).stream()
                    .flatMap(locked -> locked.handles.stream())
                    .toList();
        }

        /** The locks without which the transactions that a transaction has suspended must not commit. */
        static List<LockHandle> vetoingSuspended(TransactionSynchronizationManager transaction) {
            List<TransactionSynchronization> active = transaction.getSynchronizations();
            return bound(transaction).stream()
                    .filter(locked -> !active.contains(locked))
                    .flatMap(locked -> locked.vetoing().stream())
                    .toList();
        }

        /** The locks without which the transaction must not commit. */
        List<LockHandle> vetoing() {
            return veto ? handles : List.of();
        }

        boolean bind(TransactionSynchronizationManager transaction) {
            boundTo = transaction;
            transaction.registerSynchronization(this);
            keep(transaction);
            return true;
        }

        /** Lets calls of the transaction join the locks. */
        private void keep(TransactionSynchronizationManager transaction) {
            List<LockSynchronization> all = new ArrayList<>(bound(transaction));
            all.add(this);
            transaction.unbindResourceIfPossible(RESOURCE);
            transaction.bindResource(RESOURCE, new Bound(all));
        }

        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return readOnly ? Mono.empty() : Mono.fromRunnable(() -> LockLosses.requireNone(vetoing()));
        }

        /**
         * Registers the release as the last callback, so that listeners of the transaction's end run under the lock.
         */
        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(() -> {
                TransactionSynchronizationManager transaction = boundTo;
                if (transaction != null && transaction.isSynchronizationActive()) {
                    transaction.registerSynchronization(new Release());
                    releasesLast = true;
                }
            });
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.defer(() -> releasesLast ? Mono.empty() : release());
        }

        /** Releases the locks if no callback has done so. */
        void releaseUncalled() {
            if (!completed) {
                release().subscribe();
            }
        }

        private Mono<Void> release() {
            completed = true;
            return Mono.fromFuture(AcquiredLocks.releaseAllAsync(handles), true)
                    .publishOn(SubscriberScheduler.current());
        }

        private final class Release implements TransactionSynchronization {

            @Override
            public Mono<Void> afterCompletion(int status) {
                return Mono.defer(LockSynchronization.this::release);
            }
        }

        private static List<LockSynchronization> bound(TransactionSynchronizationManager transaction) {
            return transaction.getResource(RESOURCE) instanceof Bound bound
                    ? bound.all().stream().filter(locked -> !locked.completed).toList()
                    : List.of();
        }

        private record Bound(List<LockSynchronization> all) {}
    }

    /**
     * The locks that were granted after the transaction had begun to end. Spring no longer calls a synchronization that
     * is registered between the reading and the removal of the others, so this one, which every call registers before it
     * asks for its lock, releases them.
     */
    final class LateLocks implements TransactionSynchronization {

        private final List<LockSynchronization> late = new ArrayList<>();

        private boolean ending;

        private boolean ended;

        static Optional<LateLocks> of(TransactionSynchronizationManager transaction) {
            return transaction.getSynchronizations().stream()
                    .filter(LateLocks.class::isInstance)
                    .map(LateLocks.class::cast)
                    .findFirst();
        }

        /** Returns false if the transaction has ended. */
        synchronized boolean bind(LockSynchronization locked, TransactionSynchronizationManager transaction) {
            // registered under the monitor: the end of the transaction waits, and then reads the registered ones
            if (!ending) {
                return locked.bind(transaction);
            }
            if (!ended) {
                late.add(locked);
                locked.keep(transaction);
            }
            return !ended;
        }

        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(() -> {
                synchronized (this) {
                    ending = true;
                }
            });
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.defer(() -> {
                List<LockSynchronization> unreleased;
                synchronized (this) {
                    ended = true;
                    unreleased = List.copyOf(late);
                }
                return Mono.when(
                        unreleased.stream().map(LockSynchronization::release).toList());
            });
        }
    }
}
