package io.leasehold.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * The architecture rules that hold in every module. Each rule takes a root package, so that tests can apply it to
 * classes that violate it.
 */
public final class ArchitectureRules {

    private ArchitectureRules() {}

    /** Each package sees only the packages on its list. */
    public static ArchRule seesOnlyWhatItMay(String root, PackageRule rule) {
        return classes()
                .that()
                .resideInAPackage(rule.packageIn(root))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(rule.allowedIn(root)))
                .as("'" + rule.packageIn(root) + "' sees only " + List.of(rule.allowedIn(root)));
    }

    /** Every package has a list. */
    public static ArchRule everyPackageIsListed(String root, List<PackageRule> rules) {
        String[] packages = rules.stream().map(rule -> rule.packageIn(root)).toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .resideInAnyPackage(packages)
                .as("every package below '" + root + "' has a list of what it may see");
    }

    /** Only the given packages see the other ones. */
    public static ArchRule onlySeenBy(String root, List<PackageRule> rules, String... packages) {
        String[] allowed = rules.stream().map(rule -> rule.packageIn(root)).toArray(String[]::new);
        return noClasses()
                .that(resideInAnyPackage(root + "..").and(not(resideInAnyPackage(allowed))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .as("only " + List.of(allowed) + " see " + List.of(packages));
    }

    /** Packages have no cyclic dependencies. */
    public static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** Within a package, at most three top-level types use each other in a cycle. */
    public static ArchRule noLargeCyclesOfTypes(String root) {
        return classes().that().resideInAPackage(root + "..").should(new BeInNoLargeCycle(3));
    }

    /** A package, its {@code package-info} included, has at most this many files. */
    public static ArchRule atMostFiles(String root, int most) {
        return classes().that().resideInAPackage(root + "..").should(new HaveFewFiles(most));
    }

    /** In every package, types without annotation are non-null. */
    public static ArchRule everyPackageIsNullMarked(String root) {
        return classes().that().resideInAPackage(root + "..").should(new BeNullMarked());
    }

    /** Only the given classes read a static clock. All others take the time from a parameter or a field. */
    public static ArchRule noStaticClocks(String root, String... except) {
        DescribedPredicate<JavaClass> excepted = DescribedPredicate.describe(
                "one of " + List.of(except), type -> List.of(except).contains(type.getName()));
        return classes()
                .that(resideInAnyPackage(root + "..").and(not(excepted)))
                .should(new ReadNoStaticClock());
    }

    /** No class uses the date classes from before java.time. */
    public static ArchRule noOldDates(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|GregorianCalendar|Timer|TimerTask)")
                .as("no class uses java.util.Date, Calendar or Timer");
    }

    /** Messages are logged. No class writes to the standard streams. */
    public static ArchRule noStandardStreams(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .as("no class writes to the standard streams");
    }
}
