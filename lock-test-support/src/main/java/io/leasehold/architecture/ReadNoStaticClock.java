package io.leasehold.architecture;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;

/**
 * Detects calls of and references to the clocks of the JDK: those of {@code System}, every {@code now()} of
 * {@code java.time} without a clock as argument, and the predefined clocks.
 */
final class ReadNoStaticClock extends ArchCondition<JavaClass> {

    private static final Set<String> SYSTEM = Set.of("nanoTime", "currentTimeMillis");

    private static final Set<String> CLOCKS =
            Set.of("system", "systemUTC", "systemDefaultZone", "tickMillis", "tickSeconds", "tickMinutes");

    ReadNoStaticClock() {
        super("read no static clock");
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        for (JavaAccess<?> access : item.getAccessesFromSelf()) {
            if (isStaticClock(access.getTarget())) {
                events.add(SimpleConditionEvent.violated(access, access.getDescription()));
            }
        }
    }

    private static boolean isStaticClock(AccessTarget target) {
        String owner = target.getOwner().getName();
        String name = target.getName();
        if (owner.equals("java.lang.System")) {
            return SYSTEM.contains(name);
        }
        if (!owner.startsWith("java.time.")) {
            return false;
        }
        return CLOCKS.contains(name) || name.equals("now") && !takesAClock(target);
    }

    private static boolean takesAClock(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream()
                        .anyMatch(type -> type.getName().equals("java.time.Clock"));
    }
}
