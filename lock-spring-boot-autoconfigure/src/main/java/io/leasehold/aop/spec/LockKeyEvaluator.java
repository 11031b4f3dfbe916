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
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.DataBindingPropertyAccessor;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * Evaluates the keys of a call. The expression is parsed once and evaluated against the arguments, which are treated as
 * data and never as code.
 */
public final class LockKeyEvaluator {

    private final KeyTextConverter converter;

    /** Shared by all calls, because its reader caches the access to properties. */
    private final SingletonSupplier<EvaluationContext> rules;

    /** An evaluator with the key types of the application, which are looked up when a value needs them. */
    public LockKeyEvaluator(Supplier<List<LockKeyType<?>>> ownTypes) {
        this.converter = new KeyTextConverter(ownTypes);
        this.rules = SingletonSupplier.of(
                () -> SimpleEvaluationContext.forPropertyAccessors(DataBindingPropertyAccessor.forReadOnlyAccess())
                        .withAssignmentDisabled()
                        .withTypeConverter(converter)
                        .build());
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
        return argument != null
                ? arguments[argument]
                : spec.key().evaluate(new CallContext(rules.obtain(), spec, target, targetClass, arguments));
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

    /**
     * The evaluation context of a key expression in one call. All calls share the rules of the language. The arguments
     * are read in place and not copied into variables.
     *
     * @param rules the rules that all calls share
     * @param spec the spec that has the expression
     * @param target the object that is called
     * @param targetClass its class
     * @param arguments of the call
     */
    private record CallContext(
            EvaluationContext rules,
            LockSpec spec,
            @Nullable Object target,
            Class<?> targetClass,
            @Nullable Object[] arguments)
            implements EvaluationContext {

        @Override
        public TypedValue getRootObject() {
            return new TypedValue(
                    new LockKeyRoot(spec.method().getName(), target, targetClass, Arrays.asList(arguments)));
        }

        @Override
        public @Nullable Object lookupVariable(String name) {
            Integer position = spec.key().parameters().names().get(name);
            return position == null ? null : arguments[position];
        }

        @Override
        public void setVariable(String name, @Nullable Object value) {
            throw new SpelEvaluationException(SpelMessage.NOT_ASSIGNABLE, "#" + name);
        }

        @Override
        public boolean isAssignmentEnabled() {
            return false;
        }

        @Override
        public List<PropertyAccessor> getPropertyAccessors() {
            return rules.getPropertyAccessors();
        }

        @Override
        public List<IndexAccessor> getIndexAccessors() {
            return rules.getIndexAccessors();
        }

        @Override
        public List<ConstructorResolver> getConstructorResolvers() {
            return rules.getConstructorResolvers();
        }

        @Override
        public List<MethodResolver> getMethodResolvers() {
            return rules.getMethodResolvers();
        }

        @Override
        public @Nullable BeanResolver getBeanResolver() {
            return rules.getBeanResolver();
        }

        @Override
        public TypeLocator getTypeLocator() {
            return rules.getTypeLocator();
        }

        @Override
        public TypeConverter getTypeConverter() {
            return rules.getTypeConverter();
        }

        @Override
        public TypeComparator getTypeComparator() {
            return rules.getTypeComparator();
        }

        @Override
        public OperatorOverloader getOperatorOverloader() {
            return rules.getOperatorOverloader();
        }
    }
}
