package io.leasehold.rooms;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.architecture.HouseRules;
import io.leasehold.architecture.Room;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This module keeps the rules of the house. */
class AutoconfigureArchitectureTests {

    private static final String ROOT = "io.leasehold";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(
                    DistributedLock.class.getProtectionDomain().getCodeSource().getLocation());

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomSeesOnlyWhatItMay(Room room) {
        HouseRules.seesOnlyWhatItMay(ROOT, room).check(CLASSES);
    }

    static Stream<Room> rooms() {
        return AutoconfigureRooms.ALL.stream();
    }

    @Test
    void everyRoomIsListed() {
        HouseRules.everyRoomIsListed(ROOT, AutoconfigureRooms.ALL).check(CLASSES);
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
        HouseRules.noStaticClocks(
                        ROOT, "io.leasehold.aop.DistributedLockAspect", "io.leasehold.autoconfigure.locker.StoreClock")
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
