package io.leasehold.architecture.violating.jdbc.table;

import io.leasehold.architecture.violating.jdbc.waiting.SeesRowLocks;
import org.jspecify.annotations.Nullable;

public class SeesWaiters {

    @Nullable
    SeesRowLocks other;
}
