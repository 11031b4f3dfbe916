package io.leasehold.architecture;

import io.leasehold.Locker;
import java.util.List;

/** The packages of lock-core and the packages that each of them may see. */
class LockCoreArchitectureTests extends ArchitectureContract {

    static final Room API = Room.of("");

    static final Room SPI = Room.of("spi", "");

    static final Room SUPPORT = Room.of("support").with("org.slf4j");

    static final Room ENGINE = Room.of("engine", "", "spi", "support").with("org.slf4j");

    static final Room MEMORY = Room.of("memory", "", "spi", "support");

    static final Room FENCING = Room.of("fencing");

    static final Room JFR = Room.of("jfr", "").with("jdk.jfr");

    static final List<Room> ALL = List.of(API, SPI, SUPPORT, ENGINE, FENCING, MEMORY, JFR);

    LockCoreArchitectureTests() {
        super(Locker.class, ALL);
    }

    /** A guarded register takes part in the transaction of its caller. */
    @Override
    protected List<Room> databaseRooms() {
        return List.of(FENCING);
    }

    @Override
    protected String[] clockReaders() {
        return new String[] {"io.leasehold.Locker", "io.leasehold.support.Ticker$SystemTicker"};
    }
}
