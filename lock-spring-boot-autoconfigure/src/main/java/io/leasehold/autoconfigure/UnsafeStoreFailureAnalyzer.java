package io.leasehold.autoconfigure;

import io.leasehold.autoconfigure.SafetyCheck.UnsafeStoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Lists the findings of an {@link UnsafeStoreException}. */
final class UnsafeStoreFailureAnalyzer extends AbstractFailureAnalyzer<UnsafeStoreException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsafeStoreException cause) {
        return new FailureAnalysis(
                "Locks are less safe than they could be:" + System.lineSeparator()
                        + String.join(System.lineSeparator(), cause.findings()),
                "Change the store as each line says, or set 'lock.safety.level', or 'lock.safety.levels.<subject>' for one"
                        + " of them, to warn.",
                cause);
    }
}
