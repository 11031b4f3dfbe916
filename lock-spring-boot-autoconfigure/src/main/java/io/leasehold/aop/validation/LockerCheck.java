package io.leasehold.aop.validation;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.aop.spec.LockAnnotations;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockSpec;
import io.leasehold.aop.spec.MethodDescriptions;
import io.leasehold.support.NearestName;
import io.leasehold.support.ShortTtl;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Rejects methods whose locker does not exist or does not accept their terms. Warns of terms that are rarely meant. */
final class LockerCheck {

    private static final String BEAN_SUFFIX = "Locker";

    private final Set<Method> examinedTtls = ConcurrentHashMap.newKeySet();

    /**
     * Checks the locked methods of a bean.
     *
     * @throws LockDeclarationException if a locker does not exist, or does not accept the terms of a method
     */
    void check(String beanName, Collection<LockSpec> specs, LockerRegistry lockers) {
        if (TestDoubles.isMock(lockers)) {
            return;
        }
        Set<String> names = lockers.names();
        for (LockSpec spec : specs) {
            if (!names.contains(spec.locker())) {
                String written = asWritten(spec);
                throw LockDeclarationException.unknownLocker(
                                spec.method(),
                                written,
                                written.equals(spec.locker())
                                        ? "there is no such locker, only " + names
                                        : "there is no locker '" + spec.locker() + "', only " + names,
                                nextStep(spec.locker(), names))
                        .inBean(beanName);
            }
        }
        // Creates the default locker now, if needed, so that a missing store is reported here and no subscription waits
        // for the creation.
        specs.forEach(spec -> requireTerms(lockers.get(spec.locker()), spec, beanName));
        ScheduledSkipCheck.warn(beanName, specs, lockers);
        specs.forEach(spec -> warnOfShortTtl(spec, beanName));
    }

    /** Once for each method: a bean that is no singleton is checked with each instance. */
    private void warnOfShortTtl(LockSpec spec, String beanName) {
        Duration ttl = spec.terms().ttl();
        if (ttl != null && examinedTtls.add(spec.method())) {
            ShortTtl.warn(
                    "The ttl of " + MethodDescriptions.describe(spec.method()) + " (bean '" + beanName + "')", ttl);
        }
    }

    private static void requireTerms(Locker locker, LockSpec spec, String beanName) {
        try {
            locker.requireValid(spec.terms());
        } catch (IllegalArgumentException ex) {
            String problem = String.valueOf(ex.getMessage());
            throw LockDeclarationException.invalidTerms(
                            spec.method(),
                            "",
                            "",
                            problem.endsWith(".") ? problem.substring(0, problem.length() - 1) : problem,
                            "Terms that the annotation does not set are those of the locker",
                            ex)
                    .inBean(beanName);
        }
    }

    /** The attribute with its placeholders, if it has any. */
    private static String asWritten(LockSpec spec) {
        return LockAnnotations.find(spec.method(), spec.method().getDeclaringClass())
                .map(annotation -> annotation.getString("locker"))
                .orElse(spec.locker());
    }

    private static String nextStep(String locker, Set<String> names) {
        Optional<String> nearest = nearest(locker, names);
        // the name of a further locker must not differ in upper case only
        return nearest.filter(locker::equalsIgnoreCase)
                .map(near -> "Write '" + near + "': upper case counts in the name of a locker")
                .orElseGet(() -> nearest.map(near -> "Did you mean '" + near + "'? Otherwise add")
                                .orElse("Name one of the others, or add")
                        + " 'lock.lockers." + locker + "' to the configuration");
    }

    /** The locker that was meant, also if the name of its bean was written. */
    private static Optional<String> nearest(String locker, Set<String> names) {
        return NearestName.of(locker, names)
                .or(() -> locker.endsWith(BEAN_SUFFIX)
                        ? NearestName.of(locker.substring(0, locker.length() - BEAN_SUFFIX.length()), names)
                        : Optional.empty());
    }
}
