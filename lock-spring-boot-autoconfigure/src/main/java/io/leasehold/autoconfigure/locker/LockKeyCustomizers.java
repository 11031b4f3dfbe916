package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.locker.LockCustomizerException;
import io.leasehold.locker.LockKeyCustomizer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The {@link LockKeyCustomizer} beans, which are looked up when the first key is customized. */
public final class LockKeyCustomizers {

    private final ListableBeanFactory beans;

    private final CustomizerBeans<LockKeyCustomizer> customizers;

    public LockKeyCustomizers(ListableBeanFactory beans) {
        this.beans = beans;
        this.customizers = new CustomizerBeans<>(beans, LockKeyCustomizer.class);
    }

    /** The locker with customized keys, or the locker itself if the application has no customizer. Creates none. */
    Locker around(Locker locker) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockKeyCustomizer.class, true, false).length
                        == 0
                ? locker
                : new Customized(locker);
    }

    private String customize(String locker, String key) {
        String result = key;
        for (LockKeyCustomizer customizer : customizers.ordered()) {
            @Nullable String changed = customizer.customize(locker, result);
            if (changed == null || changed.isBlank()) {
                throw new LockCustomizerException(
                        customizers.describe(customizer) + " returned "
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
    private final class Customized extends DelegatingLocker {

        private Customized(Locker delegate) {
            super(delegate);
        }

        @Override
        public Locker withoutKeyCustomizers() {
            return delegate();
        }

        @Override
        protected String delegateKey(String key) {
            return customize(name(), key);
        }
    }
}
