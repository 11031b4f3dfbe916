package io.leasehold.architecture.planted.jdbc.row;

import io.leasehold.architecture.planted.jdbc.waiting.SeesRowLocks;
import org.jspecify.annotations.Nullable;

public class SeesWaiters {

    @Nullable
    SeesRowLocks other;
}
