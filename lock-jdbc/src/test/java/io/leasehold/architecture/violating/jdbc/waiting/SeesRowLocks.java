package io.leasehold.architecture.violating.jdbc.waiting;

import io.leasehold.architecture.violating.jdbc.row.SeesWaiters;
import org.jspecify.annotations.Nullable;

public class SeesRowLocks {

    @Nullable
    SeesWaiters other;
}
