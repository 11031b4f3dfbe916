package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * Finds out whether a type, a supertype or one of their methods carries the annotation, directly or by an annotation
 * that is composed of it. Most beans of an application have none. Their methods, and those that they override, are then
 * not searched one by one. Each type is read once, also if many beans extend it. The start of an application reads
 * thousands of methods here, without a stream for each.
 */
final class CandidateTypes {

    private final Map<Class<?>, Boolean> carriers = new ConcurrentReferenceHashMap<>();

    private final Map<Class<? extends Annotation>, Boolean> composed = new ConcurrentReferenceHashMap<>();

    boolean contains(@Nullable Class<?> type) {
        if (type == null || !AnnotationUtils.isCandidateClass(type, DistributedLock.class)) {
            return false;
        }
        if (carriers.computeIfAbsent(type, this::carries) || contains(type.getSuperclass())) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (contains(implemented)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A type that cannot be read, such as one whose method has a parameter of an absent class, is a candidate. The
     * caller that then searches its methods handles the failure.
     */
    private boolean carries(Class<?> type) {
        try {
            if (isOn(type)) {
                return true;
            }
            for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
                if (isOn(method)) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException | LinkageError ex) {
            return true;
        }
    }

    private boolean isOn(AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            if (composed.computeIfAbsent(annotation.annotationType(), CandidateTypes::isComposed)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isComposed(Class<? extends Annotation> type) {
        return type == DistributedLock.class || MergedAnnotations.from(type).isPresent(DistributedLock.class);
    }
}
