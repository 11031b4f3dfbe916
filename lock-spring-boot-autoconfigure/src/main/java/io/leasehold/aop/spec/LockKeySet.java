package io.leasehold.aop.spec;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The keys that one call locks.
 *
 * @param keys the keys, each once, in the order in which every caller acquires them
 * @param plural whether the expression gave a list, even one of a single key
 */
public record LockKeySet(List<String> keys, boolean plural) {

    public LockKeySet {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("it gave an empty list of keys. Call the method only if there are any");
        }
    }

    /** The keys after a change, sorted again. */
    public LockKeySet map(UnaryOperator<String> change) {
        SortedSet<String> changed = new TreeSet<>();
        keys.forEach(key -> changed.add(change.apply(key)));
        return new LockKeySet(List.copyOf(changed), plural);
    }

    public static LockKeySet single(String key) {
        return new LockKeySet(List.of(key), false);
    }

    public static LockKeySet several(SortedSet<String> keys) {
        return new LockKeySet(List.copyOf(keys), true);
    }
}
