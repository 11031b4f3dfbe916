package io.leasehold.architecture.planted.jdbc.waiting;

import org.jspecify.annotations.Nullable;

public class SeesRowLocks {

    @Nullable
    io.leasehold.architecture.planted.jdbc.row.SeesWaiters other;
}
