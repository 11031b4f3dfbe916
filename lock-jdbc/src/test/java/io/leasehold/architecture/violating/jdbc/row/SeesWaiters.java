package io.leasehold.architecture.violating.jdbc.row;

import io.leasehold.architecture.violating.jdbc.waiting.SeesRowLocks;
import org.jspecify.annotations.Nullable;

public class SeesWaiters {

    @Nullable
    SeesRowLocks other;
}
