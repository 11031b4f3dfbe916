package io.leasehold.autoconfigure.locker;

import io.leasehold.LockHandle;
import io.leasehold.LockNotAcquiredException;
import io.leasehold.LockRequest;
import io.leasehold.LockState;
import io.leasehold.Locker;
import io.leasehold.locker.LockCustomizerException;
import io.leasehold.locker.LockKeyCustomizer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** The {@link LockKeyCustomizer} beans, which are looked up when the first key is customized. */
public final class LockKeyCustomizers {

    private final ListableBeanFactory beans;

    private final SingletonSupplier<List<LockKeyCustomizer>> customizers;

    public LockKeyCustomizers(ListableBeanFactory beans) {
        this.beans = beans;
        this.customizers = SingletonSupplier.of(() -> CustomizerBeans.ordered(beans, LockKeyCustomizer.class));
    }

    /** Whether the application has any. Creates none. */
    public static boolean exist(ListableBeanFactory beans) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockKeyCustomizer.class, true, false).length
                > 0;
    }

    /** The locker with customized keys, or the locker itself if the application has no customizer. */
    Locker around(Locker locker) {
        return exist(beans) ? new Customized(locker) : locker;
    }

    private String customize(String locker, String key) {
        String result = key;
        for (LockKeyCustomizer customizer : customizers.obtain()) {
            @Nullable String changed = customizer.customize(locker, result);
            if (changed == null || changed.isBlank()) {
                throw new LockCustomizerException(
                        CustomizerBeans.describe(beans, LockKeyCustomizer.class, customizer) + " returned "
                                + (changed == null ? "null" : "'" + changed + "'") + " as a key of locker '" + locker
                                + "'",
                        "Return the key that it receives, or a longer one; throw an exception to refuse the call.",
                        null);
            }
            result = changed;
        }
        return result;
    }

    /** A locker whose keys are customized before its delegate sees them. */
    private final class Customized implements Locker {

        private final Locker delegate;

        private Customized(Locker delegate) {
            this.delegate = delegate;
        }

        @Override
        public String name() {
            return delegate.name();
        }

        @Override
        public Locker withoutKeyCustomizers() {
            return delegate;
        }

        @Override
        public String visibleKey(String key) {
            return delegate.visibleKey(customize(name(), key));
        }

        @Override
        public Optional<LockHandle> tryLock(LockRequest request) {
            return delegate.tryLock(customized(request));
        }

        @Override
        public CompletionStage<Optional<LockHandle>> tryLockAsync(LockRequest request) {
            return delegate.tryLockAsync(customized(request));
        }

        @Override
        public CompletionStage<LockNotAcquiredException> notAcquired(String key, Duration waited) {
            return delegate.notAcquired(customize(name(), key), waited);
        }

        @Override
        public CompletionStage<LockState> describe(String key) {
            return delegate.describe(customize(name(), key));
        }

        private LockRequest customized(LockRequest request) {
            return request.withKey(customize(name(), request.key()));
        }
    }
}
