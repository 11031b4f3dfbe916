package io.leasehold.architecture.planted.jdbc.connection;

import io.leasehold.architecture.planted.jdbc.table.SeesWaiters;
import org.jspecify.annotations.Nullable;

public class SeesTables {

    @Nullable
    SeesWaiters other;
}
