package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.aop.spec.LockDeclarationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports the method and attribute of a {@link LockDeclarationException}, and the next step. */
final class LockDeclarationFailureAnalyzer extends AbstractFailureAnalyzer<LockDeclarationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LockDeclarationException cause) {
        String message = String.valueOf(cause.getMessage());
        String nextStep = cause.nextStep() + ".";
        String description = message.endsWith(nextStep)
                ? message.substring(0, message.length() - nextStep.length()).strip()
                : message;
        return new FailureAnalysis(description, nextStep, cause);
    }
}
