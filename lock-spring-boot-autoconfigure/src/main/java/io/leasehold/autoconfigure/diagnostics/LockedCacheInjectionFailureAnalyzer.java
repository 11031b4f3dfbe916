package io.leasehold.autoconfigure.diagnostics;

import io.leasehold.autoconfigure.property.PropertyOrigin;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Reports a cache manager that is injected by its class, although {@code lock.cache.locker} puts another around it. */
final class LockedCacheInjectionFailureAnalyzer extends AbstractFailureAnalyzer<BeanNotOfRequiredTypeException> {

    /** By its name, because there may be no Spring cache on the class path. */
    private static final String AROUND = "io.leasehold.adapter.cache.LockingCacheManager";

    private static final String PROPERTY = "lock.cache.locker";

    private final @Nullable Environment environment;

    LockedCacheInjectionFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanNotOfRequiredTypeException cause) {
        if (!cause.getActualType().getName().equals(AROUND)) {
            return null;
        }
        return new FailureAnalysis(
                "Bean '" + cause.getBeanName() + "' cannot be injected as a "
                        + cause.getRequiredType().getSimpleName() + ", since '" + PROPERTY + "'"
                        + (environment == null ? "" : PropertyOrigin.phrase(environment, PROPERTY))
                        + " puts a LockingCacheManager around it.",
                "Inject it as a CacheManager, or remove the property.",
                cause);
    }
}
