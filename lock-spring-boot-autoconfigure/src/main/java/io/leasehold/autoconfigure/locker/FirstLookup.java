package io.leasehold.autoconfigure.locker;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The beans that the first call looks up and later calls reuse. No lock is held meanwhile, since the look-up may wait
 * for a thread that creates a lazy bean, and that bean may look up the same. Both threads get the same singletons.
 */
public final class FirstLookup<T> implements Supplier<T> {

    private final Supplier<T> beans;

    private volatile @Nullable T found;

    public FirstLookup(Supplier<T> beans) {
        this.beans = beans;
    }

    @Override
    public T get() {
        T known = found;
        if (known == null) {
            known = beans.get();
            found = known;
        }
        return known;
    }
}
