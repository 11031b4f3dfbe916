package io.leasehold.benchmarks.load;

import java.util.function.Supplier;

/** The keys of a caller that shares its locks with no other caller. */
public enum Keys {
    /** One key for all acquisitions. */
    ONE,
    /** A new key for each acquisition, as with keys of orders or messages. */
    NEW;

    Supplier<String> beginningWith(String prefix) {
        return this == ONE
                ? () -> prefix
                : new Supplier<>() {
                    private long number;

                    @Override
                    public String get() {
                        return prefix + "-" + number++;
                    }
                };
    }
}
