package io.leasehold.aop.spec;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.core.ResolvableType;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;

/**
 * The types whose properties a key expression may read, for native images. Starts at the parameters and follows each
 * property that the expression names, through the elements of collections, arrays, maps and optionals.
 *
 * <p>The types are the declared ones, and the permitted subclasses of sealed types. Other implementations of an
 * interface are not known before the call.
 */
public final class LockKeyTypes {

    private final List<String> properties;

    private final Set<Class<?>> read = new LinkedHashSet<>();

    private LockKeyTypes(List<String> properties) {
        this.properties = properties;
    }

    /**
     * The types that a native image has to keep readable.
     *
     * @param key the expression; if it is invalid, only the parameters are returned
     * @param method the method of the target class
     * @param targetClass the class of the bean
     */
    public static Set<Class<?>> of(String key, Method method, Class<?> targetClass) {
        LockKeyTypes types = new LockKeyTypes(propertiesOf(key));
        Set<ResolvableType> level = new LinkedHashSet<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            types.addParts(ResolvableType.forMethodParameter(method, i, targetClass), level);
        }
        if (types.properties.contains("target")) {
            types.addParts(ResolvableType.forClass(targetClass), level);
        }
        types.follow(level);
        return types.read;
    }

    private static List<String> propertiesOf(String key) {
        List<String> names = new ArrayList<>();
        try {
            collect(new SpelExpressionParser().parseRaw(key).getAST(), false, names);
        } catch (ParseException | IllegalStateException ex) {
            // The start of the application reports the invalid key with the place of its declaration.
            return List.of();
        }
        return names;
    }

    private static void collect(SpelNode node, boolean inIndex, List<String> names) {
        if (node instanceof PropertyOrFieldReference property) {
            names.add(property.getName());
        } else if (inIndex && node instanceof StringLiteral literal) {
            names.add(String.valueOf(literal.getLiteralValue().getValue()));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), node instanceof Indexer, names);
        }
    }

    /** A path has at most as many steps as the expression names properties, which bounds recursive types. */
    private void follow(Set<ResolvableType> parameters) {
        Set<ResolvableType> level = parameters;
        for (int step = 0; step <= properties.size(); step++) {
            Set<ResolvableType> next = new LinkedHashSet<>();
            for (ResolvableType type : level) {
                readProperties(type, next);
            }
            level = next;
        }
    }

    private void readProperties(ResolvableType owner, Set<ResolvableType> next) {
        Class<?> type = owner.toClass();
        if (!type.getName().startsWith("java.")) {
            read.add(type);
        }
        for (Method method : type.getMethods()) {
            if (method.getParameterCount() == 0 && isGetter(method.getName())) {
                read.add(type);
                addParts(declaredIn(owner, method.getGenericReturnType(), method.getDeclaringClass()), next);
            }
        }
        for (Field field : type.getFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && properties.contains(field.getName())) {
                read.add(type);
                addParts(declaredIn(owner, field.getGenericType(), field.getDeclaringClass()), next);
            }
        }
    }

    private static ResolvableType declaredIn(ResolvableType owner, Type type, Class<?> declaring) {
        return ResolvableType.forType(type, owner.as(declaring));
    }

    private boolean isGetter(String method) {
        return properties.stream()
                .anyMatch(property -> method.equals(property)
                        || method.equals("get" + StringUtils.capitalize(property))
                        || method.equals("is" + StringUtils.capitalize(property)));
    }

    /** A type and everything that it contains, as a {@code Map<String, List<Line>>} contains {@code Line}. */
    private void addParts(ResolvableType type, Set<ResolvableType> level) {
        Class<?> raw = type.toClass();
        if (raw.isPrimitive() || raw == Object.class || !level.add(type)) {
            return;
        }
        if (type.isArray()) {
            addParts(type.getComponentType(), level);
        }
        Stream.of(type, type.as(Iterable.class), type.as(Map.class))
                .flatMap(container -> Arrays.stream(container.getGenerics()))
                .forEach(element -> addParts(element, level));
        if (raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                addParts(ResolvableType.forClass(permitted), level);
            }
        }
    }
}
