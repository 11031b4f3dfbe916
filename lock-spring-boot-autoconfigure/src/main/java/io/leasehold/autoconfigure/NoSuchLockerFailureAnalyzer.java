package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.locker.NoSuchLockerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says how to get the locker of an {@link NoSuchLockerException}. */
final class NoSuchLockerFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchLockerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoSuchLockerException cause) {
        String description = "T" + String.valueOf(cause.getMessage()).substring(1) + ".";
        return new FailureAnalysis(
                description,
                "Correct the name, or add 'lock.lockers." + cause.locker() + "' to the configuration.",
                cause);
    }
}
