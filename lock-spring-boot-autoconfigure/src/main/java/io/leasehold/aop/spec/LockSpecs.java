package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;

/** The specs of {@code @DistributedLock} methods by class and method. Each method is read once and cached. */
public final class LockSpecs {

    private final LockSpecParser parser;

    private final Map<MethodClassKey, Optional<LockSpec>> read = new ConcurrentHashMap<>();

    /**
     * Creates the specs.
     *
     * @param placeholders resolves <code>${...}</code> in attributes, such as
     *     {@code ConfigurableBeanFactory::resolveEmbeddedValue}
     */
    public LockSpecs(UnaryOperator<String> placeholders) {
        this.parser = new LockSpecParser(placeholders);
    }

    /** Whether an annotation applies to the method, valid or not. */
    public static boolean declares(Method method, Class<?> targetClass) {
        return LockAnnotations.find(method, targetClass).isPresent();
    }

    /**
     * The spec of a method.
     *
     * @throws LockDeclarationException if the annotation cannot work
     */
    public Optional<LockSpec> find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LockSpec> known = read.get(key);
        return known != null ? known : read.computeIfAbsent(key, absent -> read(method, targetClass));
    }

    private Optional<LockSpec> read(Method method, Class<?> targetClass) {
        Optional<MergedAnnotation<DistributedLock>> found = LockAnnotations.find(method, targetClass);
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        return found.map(annotation -> parser.parse(annotation, specific, targetClass));
    }
}
