package io.leasehold.aop;

import io.leasehold.LockKeys;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * Gives the keys for a call: the expression, which was parsed once, is evaluated against the arguments, which are data
 * and never code.
 */
final class LockKeyEvaluator {

    /** One for all calls: its reader remembers how to read what it has read once. */
    private final EvaluationContext rules = SimpleEvaluationContext.forPropertyAccessors(
                    DataBindingPropertyAccessor.forReadOnlyAccess())
            .withAssignmentDisabled()
            .withTypeConverter(new StableTextConverter())
            .build();

    /**
     * Evaluates the key once.
     *
     * @return the keys, at least one, sorted and without duplicates
     * @throws LockKeyException if there is no key, or one that is null, blank or of a type without a stable text
     */
    LockKeySet evaluate(LockSpec spec, Class<?> targetClass, @Nullable Object[] arguments) {
        try {
            return keys(value(spec, targetClass, arguments));
        } catch (IllegalArgumentException | EvaluationException ex) {
            throw new LockKeyException(
                    "the key \"" + spec.key().text() + "\" of " + Methods.describe(spec.method())
                            + " cannot be used for this call: " + ex.getMessage(),
                    ex);
        }
    }

    private @Nullable Object value(LockSpec spec, Class<?> targetClass, @Nullable Object[] arguments) {
        Integer argument = spec.key().argument();
        return argument != null
                ? arguments[argument]
                : spec.key().evaluate(new LockKeyContext(rules, spec, targetClass, arguments));
    }

    private static LockKeySet keys(@Nullable Object value) {
        SortedSet<String> keys = new TreeSet<>();
        if (value instanceof byte[] || value instanceof char[]) {
            throw new IllegalArgumentException("an array of bytes or characters is not a list of keys");
        }
        if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                keys.add(key(Array.get(value, i)));
            }
        } else if (value instanceof Collection<?> several) {
            several.forEach(one -> keys.add(key(one)));
        } else {
            return LockKeySet.single(key(value));
        }
        return LockKeySet.several(keys);
    }

    private static String key(@Nullable Object value) {
        String key = StableText.of(value);
        LockKeys.requireValid(key);
        return key;
    }
}
