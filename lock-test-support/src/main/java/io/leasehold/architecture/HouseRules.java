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
 * The rules of this house that hold in every module. Each is made for a root package, so that it can be pointed at planted
 * classes that break it.
 */
public final class HouseRules {

    private HouseRules() {}

    /** Each room sees only what its list allows. */
    public static ArchRule seesOnlyWhatItMay(String root, Room room) {
        return classes()
                .that()
                .resideInAPackage(room.packageIn(root))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(room.allowedIn(root)))
                .as("'" + room.packageIn(root) + "' sees only " + List.of(room.allowedIn(root)));
    }

    /** There is no room without a list. */
    public static ArchRule everyRoomIsListed(String root, List<Room> rooms) {
        String[] packages = rooms.stream().map(room -> room.packageIn(root)).toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .resideInAnyPackage(packages)
                .as("every package below '" + root + "' has a list of what it may see");
    }

    /** Only the rooms named see the packages named. */
    public static ArchRule onlySeenBy(String root, List<Room> rooms, String... packages) {
        String[] allowed = rooms.stream().map(room -> room.packageIn(root)).toArray(String[]::new);
        return noClasses()
                .that(resideInAnyPackage(root + "..").and(not(resideInAnyPackage(allowed))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .as("only " + List.of(allowed) + " see " + List.of(packages));
    }

    /** No packages see each other in a circle. */
    public static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    /** Within a package, at most three top-level types use each other in a cycle. */
    public static ArchRule noLargeCyclesOfTypes(String root) {
        return classes().that().resideInAPackage(root + "..").should(new BeInNoLargeCycle(3));
    }

    /** In every package a type without annotation is not null. */
    public static ArchRule everyPackageIsNullMarked(String root) {
        return classes().that().resideInAPackage(root + "..").should(new BeNullMarked());
    }

    /** Time comes in from outside, except in the classes named. */
    public static ArchRule noStaticClocks(String root, String... except) {
        DescribedPredicate<JavaClass> excepted = DescribedPredicate.describe(
                "one of " + List.of(except), type -> List.of(except).contains(type.getName()));
        return classes()
                .that(resideInAnyPackage(root + "..").and(not(excepted)))
                .should(new ReadNoStaticClock());
    }

    /** Dates are those of java.time. */
    public static ArchRule noOldDates(String root) {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.(Date|Calendar|GregorianCalendar|Timer|TimerTask)")
                .as("no class uses java.util.Date, Calendar or Timer");
    }

    /** What is to be told is logged. */
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
