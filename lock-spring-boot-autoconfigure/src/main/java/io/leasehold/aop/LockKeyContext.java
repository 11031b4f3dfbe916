package io.leasehold.aop;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
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

/**
 * What a key expression sees in one call. The rules of the language are shared by all calls; the arguments are read where
 * they are and not copied into variables.
 *
 * @param rules what is the same for all calls
 * @param spec whose expression it is
 * @param targetClass the class of the object that is called
 * @param arguments of the call
 */
record LockKeyContext(
        EvaluationContext rules,
        LockSpec spec,
        Class<?> targetClass,
        @Nullable Object[] arguments) implements EvaluationContext {

    @Override
    public TypedValue getRootObject() {
        return new TypedValue(new LockKeyRoot(spec.method().getName(), targetClass));
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
