package io.leasehold.aop;

import org.springframework.transaction.reactive.TransactionCallback;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An operator with a {@link PublisherCommitGuard} inside of its transactions. */
final class GuardedTransactionalOperator implements TransactionalOperator {

    private final TransactionalOperator delegate;

    GuardedTransactionalOperator(TransactionalOperator delegate) {
        this.delegate = delegate;
    }

    @Override
    public <T> Flux<T> transactional(Flux<T> flux) {
        return delegate.transactional(PublisherCommitGuard.ofThread().guard(flux));
    }

    @Override
    public <T> Mono<T> transactional(Mono<T> mono) {
        return delegate.transactional(PublisherCommitGuard.ofThread().guard(mono));
    }

    @Override
    public <T> Flux<T> execute(TransactionCallback<T> action) {
        PublisherCommitGuard guard = PublisherCommitGuard.ofThread();
        return delegate.execute(transaction -> guard.guard(Flux.from(action.doInTransaction(transaction))));
    }
}
