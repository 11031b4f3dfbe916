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
 * not searched one by one. Each type is read once, also if many beans extend it.
 */
final class CandidateTypes {

    private final Map<Class<?>, Boolean> carriers = new ConcurrentReferenceHashMap<>();

    private final Map<Class<? extends Annotation>, Boolean> composed = new ConcurrentReferenceHashMap<>();

    boolean contains(@Nullable Class<?> type) {
        return type != null
                && AnnotationUtils.isCandidateClass(type, DistributedLock.class)
                && (carries(type) || contains(type.getSuperclass()) || isOfAnInterface(type));
    }

    private boolean isOfAnInterface(Class<?> type) {
        for (Class<?> one : type.getInterfaces()) {
            if (contains(one)) {
                return true;
            }
        }
        return false;
    }

    private boolean carries(Class<?> type) {
        Boolean known = carriers.get(type);
        if (known == null) {
            known = read(type);
            carriers.put(type, known);
        }
        return known;
    }

    /**
     * A type that cannot be read, such as one whose method has a parameter of an absent class, is a candidate. The
     * caller that then searches its methods handles the failure.
     */
    private boolean read(Class<?> type) {
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
            if (isComposed(annotation.annotationType())) {
                return true;
            }
        }
        return false;
    }

    private boolean isComposed(Class<? extends Annotation> type) {
        Boolean known = composed.get(type);
        if (known == null) {
            known = type == DistributedLock.class
                    || MergedAnnotations.from(type).isPresent(DistributedLock.class);
            composed.put(type, known);
        }
        return known;
    }
}
