package io.leasehold.architecture.planted.jdbc.connection;

import org.jspecify.annotations.Nullable;

public class SeesTables {

    @Nullable
    io.leasehold.architecture.planted.jdbc.table.SeesWaiters other;
}
