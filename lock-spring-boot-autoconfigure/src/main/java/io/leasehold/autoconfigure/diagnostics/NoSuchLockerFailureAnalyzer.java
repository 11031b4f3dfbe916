package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.locker.NoSuchLockerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports how to configure the missing locker of a {@link NoSuchLockerException}. */
final class NoSuchLockerFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchLockerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoSuchLockerException cause) {
        return new FailureAnalysis("T" + cause.description().substring(1) + ".", cause.nextStep(), cause);
    }
}
