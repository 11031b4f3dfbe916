package io.leasehold.architecture.planted.jdbc.row;

import org.jspecify.annotations.Nullable;

public class SeesWaiters {

    @Nullable
    io.leasehold.architecture.planted.jdbc.waiting.SeesRowLocks other;
}
