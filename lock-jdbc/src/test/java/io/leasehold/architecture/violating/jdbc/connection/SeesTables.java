package io.leasehold.architecture.violating.jdbc.connection;

import io.leasehold.architecture.violating.jdbc.table.SeesWaiters;
import org.jspecify.annotations.Nullable;

public class SeesTables {

    @Nullable
    SeesWaiters other;
}
