package io.leasehold.sample.billing;

import java.util.List;
import java.util.stream.Stream;

/** A user who is charged every month. */
record User(String id) {

    static final List<User> ALL = Stream.of(
                    "ada",
                    "alan",
                    "barbara",
                    "dennis",
                    "edsger",
                    "frances",
                    "grace",
                    "john",
                    "katherine",
                    "ken",
                    "leslie",
                    "margaret")
            .map(User::new)
            .toList();
}
