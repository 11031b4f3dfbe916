package io.leasehold.contract;

import java.util.ArrayList;
import java.util.List;

/**
 * A counter that loses increments or fails if two threads use it at the same time. Only the lock under test protects
 * it.
 */
final class UnsafeCounter {

    private final List<Long> fences = new ArrayList<>();

    private int value;

    void increment(long fence) {
        int read = value;
        Thread.yield();
        value = read + 1;
        fences.add(fence);
    }

    int value() {
        return value;
    }

    List<Long> fences() {
        return fences;
    }
}
