package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.locker.LockCustomizerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/** Reports which customizer of the application returned a result that cannot be used. */
final class LockCustomizerFailureAnalyzer extends AbstractFailureAnalyzer<LockCustomizerException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockCustomizerException cause) {
        return new FailureAnalysis(StringUtils.capitalize(cause.description()) + ".", cause.nextStep(), cause);
    }
}
