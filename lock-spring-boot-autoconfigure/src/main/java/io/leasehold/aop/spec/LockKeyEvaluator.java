package io.leasehold.aop.spec;

import io.leasehold.LockKeys;
import io.leasehold.annotation.LockKeyType;
import java.lang.reflect.Array;
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
     * @return the keys, at least one, sorted and without duplicates
     * @throws LockKeyException if there is no key, or one that is null, blank or of a type without a stable text
     */
    public LockKeySet evaluate(
            LockSpec spec, @Nullable Object target, Class<?> targetClass, @Nullable Object[] arguments) {
        try {
            return keys(value(spec, target, targetClass, arguments));
        } catch (IllegalArgumentException | EvaluationException ex) {
            throw LockKeyException.of(spec, arguments, ex);
        }
    }

    private @Nullable Object value(
            LockSpec spec, @Nullable Object target, Class<?> targetClass, @Nullable Object[] arguments) {
        Integer argument = spec.key().argument();
        if (argument != null) {
            return arguments[argument];
        }
        SimpleEvaluationContext context = contexts.obtain().build();
        spec.key().parameters().names().forEach((name, position) -> context.setVariable(name, arguments[position]));
        LockKeyRoot root = new LockKeyRoot(spec.method().getName(), target, targetClass, Arrays.asList(arguments));
        return spec.key().evaluate(context, root);
    }

    private LockKeySet keys(@Nullable Object value) {
        if (value instanceof byte[] || value instanceof char[]) {
            throw new IllegalArgumentException("an array of bytes or characters is not a list of keys");
        }
        if (value instanceof Collection<?> several) {
            SortedSet<String> keys = new TreeSet<>();
            several.forEach(one -> keys.add(element(one)));
            return LockKeySet.several(keys);
        }
        if (value != null && value.getClass().isArray()) {
            SortedSet<String> keys = new TreeSet<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                keys.add(element(Array.get(value, i)));
            }
            return LockKeySet.several(keys);
        }
        return LockKeySet.single(key(value));
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
