package io.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each architecture rule reports the class that was planted to violate it. */
class HouseRulesTests {

    private static final String ROOT = "io.leasehold.architecture.planted";

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(ROOT);

    @ParameterizedTest
    @MethodSource("plantedGlances")
    void aRoomThatSeesTooMuchIsNoticed(Room room, String planted, String seen) {
        assertThat(violations(HouseRules.seesOnlyWhatItMay(ROOT, room)))
                .anySatisfy(
                        line -> assertThat(line).contains("." + planted + ".").contains(seen));
    }

    static Stream<Arguments> plantedGlances() {
        return Stream.of(
                Arguments.of(LockCoreArchitectureTests.API, "SeesSpi", "spi.SeesEngine"),
                Arguments.of(LockCoreArchitectureTests.SPI, "SeesEngine", "engine.SeesMemory"),
                Arguments.of(LockCoreArchitectureTests.ENGINE, "SeesMemory", "memory.SeesLogger"),
                Arguments.of(LockCoreArchitectureTests.MEMORY, "SeesLogger", "org.slf4j.Logger"));
    }

    @ParameterizedTest
    @MethodSource("plantedHeirs")
    void aRoomThatInheritsTooMuchIsNoticed(Room room, String planted, String seen) {
        assertThat(violations(HouseRules.seesOnlyWhatItMay(ROOT, room)))
                .anySatisfy(
                        line -> assertThat(line).contains("." + planted + ">").contains(seen));
    }

    static Stream<Arguments> plantedHeirs() {
        return Stream.of(
                Arguments.of(LockCoreArchitectureTests.API, "SeesLogger", "org.slf4j.Logger"),
                Arguments.of(LockCoreArchitectureTests.FENCING, "SeesLogger", "org.slf4j.Logger"),
                Arguments.of(LockCoreArchitectureTests.MEMORY, "SeesJdbc", "javax.sql.DataSource"));
    }

    @Test
    void anAllowedDependencyIsNoViolation() {
        assertThat(violations(HouseRules.seesOnlyWhatItMay(ROOT, LockCoreArchitectureTests.ENGINE)))
                .isNotEmpty()
                .allMatch(line -> line.contains("memory.SeesLogger"));
    }

    @Test
    void aRoomWithoutAListIsNoticed() {
        assertThat(violations(HouseRules.everyRoomIsListed(ROOT, LockCoreArchitectureTests.ALL)))
                .isNotEmpty()
                .allMatch(line -> line.contains("planted.unlisted"));
    }

    @Test
    void aRoomThatSeesAReservedPackageIsNoticed() {
        assertThat(violations(HouseRules.onlySeenBy(
                        ROOT, List.of(LockCoreArchitectureTests.FENCING), "java.sql..", "javax.sql..")))
                .isNotEmpty()
                .allMatch(line -> line.contains("SeesJdbc"));
    }

    @Test
    void aCycleIsNoticed() {
        assertThat(violations(HouseRules.noCycles(ROOT)))
                .singleElement()
                .asString()
                .contains("engine ->")
                .contains("spi ->");
    }

    @Test
    void aCycleOfFourTypesIsNoticed() {
        assertThat(violations(HouseRules.noLargeCyclesOfTypes(ROOT)))
                .hasSize(4)
                .allMatch(line -> line.contains("cycle of 4 types") && line.contains("unlisted.CycleOfFour"));
    }

    @Test
    void aPackageThatIsNotNullMarkedIsNoticed() {
        assertThat(violations(HouseRules.everyPackageIsNullMarked(ROOT)))
                .isNotEmpty()
                .allMatch(line -> line.contains("planted.support"));
    }

    @ParameterizedTest
    @MethodSource("clockReaders")
    void aStaticClockIsNoticed(String method) {
        assertThat(violations(HouseRules.noStaticClocks(ROOT))).anyMatch(line -> line.contains("." + method + "()>"));
    }

    static Stream<String> clockReaders() {
        return Stream.of("nanoTime", "currentTimeMillis", "reference", "now", "today", "clock");
    }

    @Test
    void aClockFromOutsideIsNoViolation() {
        assertThat(violations(HouseRules.noStaticClocks(ROOT)))
                .hasSize(6)
                .noneMatch(line -> line.contains("fromOutside"));
    }

    @Test
    void anExceptedClassMayReadClocks() {
        assertThat(violations(HouseRules.noStaticClocks(ROOT, ROOT + ".engine.ReadsClocks")))
                .isEmpty();
    }

    @Test
    void anOldDateIsNoticed() {
        assertThat(violations(HouseRules.noOldDates(ROOT)))
                .isNotEmpty()
                .allMatch(line -> line.contains("UsesOldDates"));
    }

    @Test
    void standardStreamsAreNoticed() {
        assertThat(violations(HouseRules.noStandardStreams(ROOT)))
                .anyMatch(line -> line.contains("WritesToStandardOutput"))
                .anyMatch(line -> line.contains("WritesToStandardError"));
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(CLASSES).getFailureReport().getDetails();
    }
}
