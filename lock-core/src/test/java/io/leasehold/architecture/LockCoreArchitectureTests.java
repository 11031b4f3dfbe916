package io.leasehold.architecture;

import io.leasehold.Locker;
import java.util.List;

/** The packages of lock-core and the packages that each of them may see. */
class LockCoreArchitectureTests extends ArchitectureContract {

    static final PackageRule API = PackageRule.of("", "support");

    static final PackageRule SPI = PackageRule.of("spi", "");

    static final PackageRule SUPPORT = PackageRule.of("support").with("org.slf4j");

    static final PackageRule ENGINE =
            PackageRule.of("engine", "", "spi", "support").with("org.slf4j");

    static final PackageRule MEMORY = PackageRule.of("memory", "", "spi", "support");

    static final PackageRule FENCING = PackageRule.of("fencing");

    static final PackageRule JFR = PackageRule.of("jfr", "").with("jdk.jfr");

    static final List<PackageRule> ALL = List.of(API, SPI, SUPPORT, ENGINE, FENCING, MEMORY, JFR);

    LockCoreArchitectureTests() {
        super(Locker.class, ALL);
    }

    /** A guarded register takes part in the transaction of its caller. */
    @Override
    protected List<PackageRule> databasePackages() {
        return List.of(FENCING);
    }

    @Override
    protected String[] clockReaders() {
        return new String[] {"io.leasehold.Locker", "io.leasehold.support.Ticker$SystemTicker"};
    }
}
