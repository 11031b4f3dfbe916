package io.leasehold.architecture;

import io.leasehold.annotation.DistributedLock;
import java.util.List;

/** The packages of this module keep to {@link AutoconfigurePackages}. */
class AutoconfigureArchitectureTests extends ArchitectureContract {

    AutoconfigureArchitectureTests() {
        super(DistributedLock.class, AutoconfigurePackages.ALL);
    }

    @Override
    protected List<PackageRule> databasePackages() {
        return List.of(AutoconfigurePackages.JDBC);
    }

    @Override
    protected String[] clockReaders() {
        return new String[] {"io.leasehold.aop.DistributedLockAspect", "io.leasehold.autoconfigure.backend.StoreClock"};
    }
}
