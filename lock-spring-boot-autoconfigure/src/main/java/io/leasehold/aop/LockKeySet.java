package io.leasehold.aop;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one call locks.
 *
 * @param keys the keys, in the order in which every caller takes them
 * @param plural whether the expression gave a list, even one of a single key
 */
record LockKeySet(SortedSet<String> keys, boolean plural) {

    LockKeySet {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("it gave an empty list of keys");
        }
    }

    static LockKeySet single(String key) {
        SortedSet<String> keys = new TreeSet<>();
        keys.add(key);
        return new LockKeySet(keys, false);
    }

    static LockKeySet several(SortedSet<String> keys) {
        return new LockKeySet(keys, true);
    }
}
