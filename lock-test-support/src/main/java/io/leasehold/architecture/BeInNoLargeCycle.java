package io.leasehold.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Detects top-level types of one package that use each other in a cycle. A nested type counts as its top-level type. A
 * few types may form a cycle. The types of a large cycle can only be read and tested together.
 */
final class BeInNoLargeCycle extends ArchCondition<JavaClass> {

    private final int most;

    private final Map<String, Set<String>> uses = new HashMap<>();

    BeInNoLargeCycle(int most) {
        super("be in no cycle of more than " + most + " types of its package");
        this.most = most;
    }

    @Override
    public void init(Collection<JavaClass> all) {
        uses.clear();
        for (JavaClass type : all) {
            Set<String> used = uses.computeIfAbsent(topLevel(type), name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass();
                if (target.getPackageName().equals(type.getPackageName())) {
                    used.add(topLevel(target));
                }
            }
        }
    }

    @Override
    public void check(JavaClass item, ConditionEvents events) {
        if (!item.isTopLevelClass()) {
            return;
        }
        Set<String> cycle = cycle(topLevel(item));
        String message = item.getName() + " is in a cycle of " + cycle.size() + " types: " + cycle;
        events.add(new SimpleConditionEvent(item, cycle.size() <= most, message));
    }

    /**
     * Returns the types in the same cycles as the given type, including itself: each reaches it and is reached by it.
     */
    private Set<String> cycle(String type) {
        Set<String> cycle = reached(type);
        cycle.removeIf(other -> !reached(other).contains(type));
        return cycle;
    }

    private Set<String> reached(String from) {
        Set<String> reached = new TreeSet<>();
        reach(from, reached);
        return reached;
    }

    private void reach(String type, Set<String> reached) {
        if (reached.add(type)) {
            uses.getOrDefault(type, Set.of()).forEach(used -> reach(used, reached));
        }
    }

    private static String topLevel(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        int nested = element.getName().indexOf('$');
        return nested < 0 ? element.getName() : element.getName().substring(0, nested);
    }
}
