package io.leasehold.aop.spec;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The names under which a key expression finds the arguments.
 *
 * @param names for each name the position of its argument
 * @param count how many arguments there are
 * @param namesKnown whether the class was compiled with the names of its parameters
 */
record LockKeyParameters(Map<String, Integer> names, int count, boolean namesKnown) {

    private static final Pattern VARIABLE = Pattern.compile("#\\w+");

    private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

    /** The names in the method that runs, and those in the method that carries the annotation, which win. */
    static LockKeyParameters of(Method method, Method annotated) {
        Map<String, Integer> names = new LinkedHashMap<>();
        // without the continuation, which is no parameter of the function
        int count = method.getParameterCount() - (MethodDescriptions.isSuspending(method) ? 1 : 0);
        for (int i = 0; i < count; i++) {
            names.put("p" + i, i);
            names.put("a" + i, i);
        }
        boolean known = addNames(names, method, count);
        if (!annotated.equals(method)) {
            known |= addNames(names, annotated, count);
        }
        return new LockKeyParameters(names, count, known || count == 0);
    }

    private static boolean addNames(Map<String, Integer> names, Method method, int count) {
        @Nullable String @Nullable [] discovered = DISCOVERER.getParameterNames(method);
        if (discovered == null) {
            return false;
        }
        for (int i = 0; i < Math.min(count, discovered.length); i++) {
            String name = discovered[i];
            if (name != null) {
                names.put(name, i);
            }
        }
        return true;
    }

    Set<String> readableNames() {
        Set<String> readable = new LinkedHashSet<>();
        new TreeSet<>(names.keySet()).forEach(name -> {
            if (!name.matches("[ap]\\d+")) {
                readable.add("#" + name);
            }
        });
        for (int i = 0; i < count; i++) {
            readable.add("#p" + i);
        }
        return readable;
    }

    /** The names of arguments in an expression, in its order. */
    List<String> namesIn(String expression) {
        return VARIABLE.matcher(expression)
                .results()
                .map(MatchResult::group)
                .filter(variable -> names.containsKey(variable.substring(1)))
                .distinct()
                .toList();
    }

    /** The argument that an expression calls by this name. */
    @Nullable
    Object argument(String variable, @Nullable Object[] arguments) {
        Integer position = names.get(variable.substring(1));
        return position == null ? null : arguments[position];
    }
}
