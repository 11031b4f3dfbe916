package io.leasehold.architecture.planted.jdbc.table;

import org.jspecify.annotations.Nullable;

public class SeesWaiters {

    @Nullable
    io.leasehold.architecture.planted.jdbc.waiting.SeesRowLocks other;
}
