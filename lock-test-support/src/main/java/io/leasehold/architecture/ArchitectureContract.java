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
 * For each package, the test contains one class below {@code violating} of its own package that violates the list.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureContract {

    private static final String ROOT = "io.leasehold";

    private final String violatingRoot = getClass().getPackageName() + ".violating";

    private final List<PackageRule> packages;

    private final JavaClasses classes;

    private final JavaClasses violating;

    /**
     * Creates the test.
     *
     * @param type any class of the module
     * @param packages all packages of the module
     */
    protected ArchitectureContract(Class<?> type, List<PackageRule> packages) {
        this.packages = packages;
        this.classes = new ClassFileImporter()
                .importUrl(type.getProtectionDomain().getCodeSource().getLocation());
        this.violating = new ClassFileImporter().importPackages(violatingRoot);
    }

    /** The packages that may see {@code java.sql} and {@code javax.sql}. */
    protected List<PackageRule> databasePackages() {
        return List.of();
    }

    /** The names of the classes that may read a clock of the JDK. */
    protected String[] clockReaders() {
        return new String[0];
    }

    Stream<PackageRule> packages() {
        return packages.stream();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageSeesOnlyWhatItMay(PackageRule rule) {
        ArchitectureRules.seesOnlyWhatItMay(ROOT, rule).check(classes);
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aViolatingClassIsReported(PackageRule rule) {
        assertThat(ArchitectureRules.seesOnlyWhatItMay(violatingRoot, rule)
                        .evaluate(violating)
                        .getFailureReport()
                        .getDetails())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).contains(rule.packageIn(violatingRoot) + ".Sees"));
    }

    @Test
    void everyPackageIsListed() {
        ArchitectureRules.everyPackageIsListed(ROOT, packages).check(classes);
    }

    @Test
    void onlyDatabasePackagesSeeDatabases() {
        ArchitectureRules.onlySeenBy(ROOT, databasePackages(), "java.sql..", "javax.sql..")
                .allowEmptyShould(true)
                .check(classes);
    }

    @Test
    void packagesHaveNoCycles() {
        ArchitectureRules.noCycles(ROOT).check(classes);
    }

    @Test
    void typesHaveNoLargeCycles() {
        ArchitectureRules.noLargeCyclesOfTypes(ROOT).check(classes);
    }

    @Test
    void noPackageHasMoreThanTwentyEightFiles() {
        ArchitectureRules.atMostFiles(ROOT, 28).check(classes);
    }

    @Test
    void everyPackageIsNullMarked() {
        ArchitectureRules.everyPackageIsNullMarked(ROOT).check(classes);
    }

    @Test
    void noClassReadsAStaticClock() {
        ArchitectureRules.noStaticClocks(ROOT, clockReaders()).check(classes);
    }

    @Test
    void noClassUsesOldDates() {
        ArchitectureRules.noOldDates(ROOT).check(classes);
    }

    @Test
    void noClassWritesToTheStandardStreams() {
        ArchitectureRules.noStandardStreams(ROOT).check(classes);
    }
}
