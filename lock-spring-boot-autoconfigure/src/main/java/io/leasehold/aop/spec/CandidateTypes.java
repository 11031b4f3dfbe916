package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
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
                && (carriers.computeIfAbsent(type, this::carries)
                        || contains(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(this::contains));
    }

    /**
     * A type that cannot be read, such as one whose method has a parameter of an absent class, is a candidate. The
     * caller that then searches its methods handles the failure.
     */
    private boolean carries(Class<?> type) {
        try {
            return isOn(type)
                    || Arrays.stream(ReflectionUtils.getDeclaredMethods(type)).anyMatch(this::isOn);
        } catch (RuntimeException | LinkageError ex) {
            return true;
        }
    }

    private boolean isOn(AnnotatedElement element) {
        return Arrays.stream(element.getDeclaredAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> composed.computeIfAbsent(type, CandidateTypes::isComposed));
    }

    private static boolean isComposed(Class<? extends Annotation> type) {
        return type == DistributedLock.class || MergedAnnotations.from(type).isPresent(DistributedLock.class);
    }
}
