package io.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The architecture of a module. Its test lists the packages of the module and the packages that each of them may see.
 * For each package, the test contains one class below {@code planted} of its own package that violates the list.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureContract {

    private static final String ROOT = "io.leasehold";

    private final String plantedRoot = getClass().getPackageName() + ".planted";

    private final List<Room> rooms;

    private final JavaClasses classes;

    private final JavaClasses planted;

    /**
     * Creates the test.
     *
     * @param type any class of the module
     * @param rooms all packages of the module
     */
    protected ArchitectureContract(Class<?> type, List<Room> rooms) {
        this.rooms = rooms;
        this.classes = new ClassFileImporter()
                .importUrl(type.getProtectionDomain().getCodeSource().getLocation());
        this.planted = new ClassFileImporter().importPackages(plantedRoot);
    }

    /** The packages that may see {@code java.sql} and {@code javax.sql}. */
    protected List<Room> databaseRooms() {
        return List.of();
    }

    /** The names of the classes that may read a clock of the JDK. */
    protected String[] clockReaders() {
        return new String[0];
    }

    Stream<Room> rooms() {
        return rooms.stream();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomSeesOnlyWhatItMay(Room room) {
        HouseRules.seesOnlyWhatItMay(ROOT, room).check(classes);
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aPlantedClassThatSeesTooMuchIsReported(Room room) {
        assertThat(HouseRules.seesOnlyWhatItMay(plantedRoot, room)
                        .evaluate(planted)
                        .getFailureReport()
                        .getDetails())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(room.packageIn(plantedRoot) + ".Sees"));
    }

    @Test
    void everyRoomIsListed() {
        HouseRules.everyRoomIsListed(ROOT, rooms).check(classes);
    }

    @Test
    void onlyRoomsOfDatabasesSeeThem() {
        HouseRules.onlySeenBy(ROOT, databaseRooms(), "java.sql..", "javax.sql..")
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void packagesHaveNoCycles() {
        HouseRules.noCycles(ROOT).check(classes);
    }

    @Test
    void typesHaveNoLargeCycles() {
        HouseRules.noLargeCyclesOfTypes(ROOT).check(classes);
    }

    @Test
    void everyPackageIsNullMarked() {
        HouseRules.everyPackageIsNullMarked(ROOT).check(classes);
    }

    @Test
    void noClassReadsAStaticClock() {
        HouseRules.noStaticClocks(ROOT, clockReaders()).check(classes);
    }

    @Test
    void noClassUsesOldDates() {
        HouseRules.noOldDates(ROOT).check(classes);
    }

    @Test
    void noClassWritesToTheStandardStreams() {
        HouseRules.noStandardStreams(ROOT).check(classes);
    }
}
