package io.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leasehold.Locker;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** lock-core keeps the rules of the house. */
class LockCoreArchitectureTests {

    private static final String ROOT = "io.leasehold";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(Locker.class.getProtectionDomain().getCodeSource().getLocation());

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomSeesOnlyWhatItMay(Room room) {
        HouseRules.seesOnlyWhatItMay(ROOT, room).allowEmptyShould(true).check(CLASSES);
    }

    static Stream<Room> rooms() {
        return LockCoreRooms.ALL.stream();
    }

    @Test
    void everyRoomIsListed() {
        HouseRules.everyRoomIsListed(ROOT, LockCoreRooms.ALL).check(CLASSES);
    }

    @Test
    void onlyTheJdbcBackendAndTheGuardOfRowsSeeDatabases() {
        HouseRules.onlySeenBy(ROOT, List.of(LockCoreRooms.JDBC, LockCoreRooms.FENCING), "java.sql..", "javax.sql..")
                .check(CLASSES);
    }

    @Test
    void thereAreNoCycles() {
        HouseRules.noCycles(ROOT).check(CLASSES);
    }

    @Test
    void everyPackageIsNullMarked() {
        HouseRules.everyPackageIsNullMarked(ROOT).check(CLASSES);
    }

    @Test
    void timeComesInFromOutside() {
        HouseRules.noStaticClocks(ROOT, "io.leasehold.Locker", "io.leasehold.support.Ticker$SystemTicker")
                .check(CLASSES);
    }

    @Test
    void datesAreThoseOfJavaTime() {
        HouseRules.noOldDates(ROOT).check(CLASSES);
    }

    @Test
    void nothingIsWrittenToTheStandardStreams() {
        HouseRules.noStandardStreams(ROOT).check(CLASSES);
    }
}
