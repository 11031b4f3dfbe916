package io.leasehold.aop.spec;

import io.leasehold.support.NearestName;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** The next step after a key expression has read a property that is missing, or a property of {@code null}. */
final class UnreadableProperty {

    private UnreadableProperty() {}

    /**
     * A sentence without its full stop, with the names of properties and without their values; empty if none is known.
     */
    static String nextStep(LockSpec spec, Exception failure) {
        if (!(failure instanceof SpelEvaluationException ex)) {
            return "";
        }
        var inserts = ex.getInserts();
        if (inserts == null || inserts.length == 0) {
            return "";
        }
        String name = String.valueOf(inserts[0]);
        if (ex.getMessageCode() == SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE_ON_NULL) {
            String nullSafe = spec.key().text().replace("." + name, "?." + name);
            return ". The value before '." + name
                    + "' is null: check it before the call, or give the key a default, such" + " as \"" + nullSafe
                    + " ?: 'none'\"";
        }
        if (ex.getMessageCode() != SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE || inserts.length < 2) {
            return "";
        }
        Class<?> type = type(String.valueOf(inserts[1]), spec);
        SortedSet<String> readable = type == null ? new TreeSet<>() : propertiesOf(type);
        if (readable.isEmpty()) {
            return ". Give the type a public getter for '" + name + "', or use another property";
        }
        return ". "
                + NearestName.of(name, readable)
                        .map(near -> "Did you mean '" + near + "'? ")
                        .orElse("")
                + "Its properties are " + String.join(", ", readable);
    }

    private static @Nullable Class<?> type(String name, LockSpec spec) {
        try {
            return ClassUtils.forName(name, spec.method().getDeclaringClass().getClassLoader());
        } catch (ClassNotFoundException | LinkageError ex) {
            return null;
        }
    }

    private static SortedSet<String> propertiesOf(Class<?> type) {
        SortedSet<String> names = new TreeSet<>();
        for (Method method : type.getMethods()) {
            String property = property(method);
            if (!property.isEmpty()) {
                names.add(property);
            }
        }
        for (Field field : type.getFields()) {
            names.add(field.getName());
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                names.add(component.getName());
            }
        }
        return names;
    }

    private static String property(Method method) {
        String name = method.getName();
        if (method.getParameterCount() > 0
                || method.getDeclaringClass() == Object.class
                || method.getReturnType() == void.class) {
            return "";
        }
        if (name.startsWith("get")) {
            return StringUtils.uncapitalizeAsProperty(name.substring(3));
        }
        return name.startsWith("is") && method.getReturnType() == boolean.class
                ? StringUtils.uncapitalizeAsProperty(name.substring(2))
                : "";
    }
}
