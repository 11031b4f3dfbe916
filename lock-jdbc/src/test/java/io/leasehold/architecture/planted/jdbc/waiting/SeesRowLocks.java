package io.leasehold.architecture.planted.jdbc.waiting;

import io.leasehold.architecture.planted.jdbc.row.SeesWaiters;
import org.jspecify.annotations.Nullable;

public class SeesRowLocks {

    @Nullable
    SeesWaiters other;
}
