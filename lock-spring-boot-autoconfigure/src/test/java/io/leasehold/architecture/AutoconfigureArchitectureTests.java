package io.leasehold.architecture;

import io.leasehold.annotation.DistributedLock;
import java.util.List;

/** The packages of this module keep to {@link AutoconfigureRooms}. */
class AutoconfigureArchitectureTests extends ArchitectureContract {

    AutoconfigureArchitectureTests() {
        super(DistributedLock.class, AutoconfigureRooms.ALL);
    }

    @Override
    protected List<Room> databaseRooms() {
        return List.of(AutoconfigureRooms.JDBC);
    }

    @Override
    protected String[] clockReaders() {
        return new String[] {"io.leasehold.aop.DistributedLockAspect", "io.leasehold.autoconfigure.locker.StoreClock"};
    }
}
