package io.leasehold.benchmarks.load;

import java.util.function.Supplier;

/** Which locks a caller takes who has them for itself. */
public enum Keys {
    /** One, over and over. */
    ONE,
    /** Each once, as with keys of orders or messages. */
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
