package io.leasehold.aop.spec;

import io.leasehold.LockKeys;
import io.leasehold.annotation.LockKeyType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.CollectionUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Evaluates the keys of a call. The expression is parsed once and evaluated against the arguments, which are treated as
 * data and never as code.
 */
public final class LockKeyEvaluator {

    private final KeyTextConverter converter;

    /** Its reader of properties is shared by all calls, because it caches the access to them. */
    private final SingletonSupplier<SimpleEvaluationContext.Builder> contexts;

    /** An evaluator with the key types of the application, which are looked up when a value needs them. */
    public LockKeyEvaluator(Supplier<List<LockKeyType<?>>> ownTypes) {
        this.converter = new KeyTextConverter(ownTypes);
        this.contexts = SingletonSupplier.of(
                () -> SimpleEvaluationContext.forPropertyAccessors(DataBindingPropertyAccessor.forReadOnlyAccess())
                        .withAssignmentDisabled()
                        .withTypeConverter(converter));
    }

    /**
     * Evaluates the key once.
     *
     * @return the keys, at least one, each once, in the order in which every caller acquires them
     * @throws LockKeyException if there is no key, or one that is null, blank or of a type without a stable text, or if
     *     one handle would have to stand for a list of keys
     */
    public List<String> evaluate(
            LockSpec spec, @Nullable Object target, Class<?> targetClass, @Nullable Object[] arguments) {
        List<String> keys;
        try {
            Object value = value(spec, target, targetClass, arguments);
            Collection<?> elements = elements(value);
            if (elements == null) {
                return List.of(key(value));
            }
            keys = keys(elements);
        } catch (IllegalArgumentException | EvaluationException ex) {
            throw LockKeyException.of(spec, arguments, ex);
        }
        if (!spec.openHandles(arguments).isEmpty()) {
            throw new LockKeyException(
                    spec,
                    "gives a list, so its LockHandle parameter cannot be filled with one handle;"
                            + " remove the parameter and use LockContext.find(locker, key)",
                    null);
        }
        return keys;
    }

    private @Nullable Object value(
            LockSpec spec, @Nullable Object target, Class<?> targetClass, @Nullable Object[] arguments) {
        Integer argument = spec.key().argument();
        if (argument != null) {
            return arguments[argument];
        }
        SimpleEvaluationContext context = contexts.obtain().build();
        spec.key().parameters().names().forEach((name, position) -> context.setVariable(name, arguments[position]));
        Method method = spec.method();
        LockKeyRoot root =
                new LockKeyRoot(method.getName(), target, named(targetClass, method), Arrays.asList(arguments));
        return spec.key().evaluate(context, root);
    }

    /** A class with the same name in each process: of a proxy or a lambda, the interface that has the method. */
    private static Class<?> named(Class<?> targetClass, Method method) {
        return KeyTextConverter.isNamedAnew(targetClass)
                ? Arrays.stream(ClassUtils.getAllInterfacesForClass(targetClass))
                        .filter(type -> ClassUtils.hasMethod(type, method))
                        .findFirst()
                        .orElse(targetClass)
                : targetClass;
    }

    /** The elements of a list of keys, {@code null} for a single key. */
    private @Nullable Collection<?> elements(@Nullable Object value) {
        if (value == null || value instanceof byte[] || value instanceof char[] || value instanceof String) {
            return null;
        }
        boolean severalKeys = value instanceof Collection || value.getClass().isArray();
        return severalKeys && !isKeyOfItsOwn(value)
                ? value instanceof Collection<?> several ? several : CollectionUtils.arrayToList(value)
                : null;
    }

    /** Whether the application declares a text for a kind of list. One for all objects is for the elements. */
    private boolean isKeyOfItsOwn(Object list) {
        LockKeyType<?> own = converter.ownType(list);
        return own != null && (own.type().isArray() || Collection.class.isAssignableFrom(own.type()));
    }

    private List<String> keys(Collection<?> elements) {
        SortedSet<String> keys = new TreeSet<>();
        elements.forEach(one -> keys.add(element(one)));
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("it gave an empty list of keys. Call the method only if there are any");
        }
        return List.copyOf(keys);
    }

    private String element(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(
                    "it gave a list of keys that contains null. Remove null before the call");
        }
        return key(value);
    }

    private String key(@Nullable Object value) {
        String key = converter.text(value);
        LockKeys.requireValid(key);
        return key;
    }
}
