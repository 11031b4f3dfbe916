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

/** Each architecture rule reports the class that violates it. */
class ArchitectureRulesTests {

    private static final String ROOT = "io.leasehold.architecture.violating";

    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(ROOT);

    @ParameterizedTest
    @MethodSource("violatingUses")
    void aPackageThatSeesTooMuchIsReported(PackageRule rule, String violating, String seen) {
        assertThat(violations(ArchitectureRules.seesOnlyWhatItMay(ROOT, rule)))
                .anySatisfy(
                        line -> assertThat(line).contains("." + violating + ".").contains(seen));
    }

    static Stream<Arguments> violatingUses() {
        return Stream.of(
                Arguments.of(LockCoreArchitectureTests.API, "SeesSpi", "spi.SeesEngine"),
                Arguments.of(LockCoreArchitectureTests.SPI, "SeesEngine", "engine.SeesMemory"),
                Arguments.of(LockCoreArchitectureTests.ENGINE, "SeesMemory", "memory.SeesLogger"),
                Arguments.of(LockCoreArchitectureTests.MEMORY, "SeesLogger", "org.slf4j.Logger"));
    }

    @ParameterizedTest
    @MethodSource("violatingSubtypes")
    void aPackageThatInheritsTooMuchIsReported(PackageRule rule, String violating, String seen) {
        assertThat(violations(ArchitectureRules.seesOnlyWhatItMay(ROOT, rule)))
                .anySatisfy(
                        line -> assertThat(line).contains("." + violating + ">").contains(seen));
    }

    static Stream<Arguments> violatingSubtypes() {
        return Stream.of(
                Arguments.of(LockCoreArchitectureTests.API, "SeesLogger", "org.slf4j.Logger"),
                Arguments.of(LockCoreArchitectureTests.FENCING, "SeesLogger", "org.slf4j.Logger"),
                Arguments.of(LockCoreArchitectureTests.MEMORY, "SeesJdbc", "javax.sql.DataSource"));
    }

    @Test
    void anAllowedDependencyIsNoViolation() {
        assertThat(violations(ArchitectureRules.seesOnlyWhatItMay(ROOT, LockCoreArchitectureTests.ENGINE)))
                .isNotEmpty()
                .allMatch(line -> line.contains("memory.SeesLogger"));
    }

    @Test
    void aPackageWithoutAListIsReported() {
        assertThat(violations(ArchitectureRules.everyPackageIsListed(ROOT, LockCoreArchitectureTests.ALL)))
                .isNotEmpty()
                .allMatch(line -> line.contains("violating.unlisted"));
    }

    @Test
    void aPackageThatSeesAReservedPackageIsReported() {
        assertThat(violations(ArchitectureRules.onlySeenBy(
                        ROOT, List.of(LockCoreArchitectureTests.FENCING), "java.sql..", "javax.sql..")))
                .isNotEmpty()
                .allMatch(line -> line.contains("SeesJdbc"));
    }

    @Test
    void aCycleIsReported() {
        assertThat(violations(ArchitectureRules.noCycles(ROOT)))
                .singleElement()
                .asString()
                .contains("engine ->")
                .contains("spi ->");
    }

    @Test
    void aCycleOfFourTypesIsReported() {
        assertThat(violations(ArchitectureRules.noLargeCyclesOfTypes(ROOT)))
                .hasSize(4)
                .allMatch(line -> line.contains("cycle of 4 types") && line.contains("unlisted.CycleOfFour"));
    }

    @Test
    void aPackageOfManyFilesIsReportedOnce() {
        assertThat(violations(ArchitectureRules.atMostFiles(ROOT, 5)))
                .singleElement()
                .isEqualTo("package '" + ROOT + ".engine' has 6 files");
    }

    @Test
    void aPackageThatIsNotNullMarkedIsReported() {
        assertThat(violations(ArchitectureRules.everyPackageIsNullMarked(ROOT)))
                .isNotEmpty()
                .allMatch(line -> line.contains("violating.support"));
    }

    @ParameterizedTest
    @MethodSource("clockReaders")
    void aStaticClockIsReported(String method) {
        assertThat(violations(ArchitectureRules.noStaticClocks(ROOT)))
                .anyMatch(line -> line.contains("." + method + "()>"));
    }

    static Stream<String> clockReaders() {
        return Stream.of("nanoTime", "currentTimeMillis", "reference", "now", "today", "clock");
    }

    @Test
    void aClockFromOutsideIsNoViolation() {
        assertThat(violations(ArchitectureRules.noStaticClocks(ROOT)))
                .hasSize(6)
                .noneMatch(line -> line.contains("fromOutside"));
    }

    @Test
    void anExceptedClassMayReadClocks() {
        assertThat(violations(ArchitectureRules.noStaticClocks(ROOT, ROOT + ".engine.ReadsClocks")))
                .isEmpty();
    }

    @Test
    void anOldDateIsReported() {
        assertThat(violations(ArchitectureRules.noOldDates(ROOT)))
                .isNotEmpty()
                .allMatch(line -> line.contains("UsesOldDates"));
    }

    @Test
    void standardStreamsAreReported() {
        assertThat(violations(ArchitectureRules.noStandardStreams(ROOT)))
                .anyMatch(line -> line.contains("WritesToStandardOutput"))
                .anyMatch(line -> line.contains("WritesToStandardError"));
    }

    private static List<String> violations(ArchRule rule) {
        return rule.evaluate(CLASSES).getFailureReport().getDetails();
    }
}
