package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the annotation that holds for a method: its own or an overridden one's first, then its type's. */
public final class LockAnnotations {

    private static final CandidateTypes CANDIDATES = new CandidateTypes();

    private LockAnnotations() {}

    /** Whether methods of the type may have the annotation. */
    public static boolean isCandidate(Class<?> type) {
        return CANDIDATES.contains(type);
    }

    public static Optional<MergedAnnotation<DistributedLock>> find(Method method, Class<?> targetClass) {
        if (method.getDeclaringClass() == Object.class) {
            return Optional.empty();
        }
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        return on(specific)
                .or(() -> on(method))
                .or(() -> byType(specific, specific.getDeclaringClass()))
                .or(() -> byType(specific, method.getDeclaringClass()));
    }

    /** Whether the method itself, or one that it overrides, carries the annotation. */
    public static boolean isOnMethod(Method method) {
        return on(method).isPresent();
    }

    /** Whether the type, or one that it extends or implements, carries the annotation itself. */
    public static boolean isOnType(Class<?> type) {
        return on(type).isPresent();
    }

    /** How many annotations at the place of this one carry a lock. */
    static long countAtPlaceOf(MergedAnnotation<DistributedLock> annotation) {
        return annotation.getRoot().getSource() instanceof AnnotatedElement place
                ? MergedAnnotations.from(place, SearchStrategy.DIRECT).stream(DistributedLock.class)
                        .count()
                : 1;
    }

    /** Whether an interface that is not related to that of the annotation declares the method with another lock. */
    static boolean hasRival(MergedAnnotation<DistributedLock> annotation, Method method) {
        return annotation.getRoot().getSource() instanceof Method place
                && place.getDeclaringClass().isInterface()
                && MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(DistributedLock.class)
                        .anyMatch(other -> other.getRoot().getSource() instanceof Method otherPlace
                                && areUnrelated(place.getDeclaringClass(), otherPlace.getDeclaringClass())
                                && !other.synthesize().equals(annotation.synthesize()));
    }

    private static boolean areUnrelated(Class<?> one, Class<?> other) {
        return !one.isAssignableFrom(other) && !other.isAssignableFrom(one);
    }

    private static Optional<MergedAnnotation<DistributedLock>> byType(Method method, Class<?> type) {
        boolean covered = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method)
                && !ReflectionUtils.isObjectMethod(method);
        return covered ? on(type) : Optional.empty();
    }

    private static Optional<MergedAnnotation<DistributedLock>> on(AnnotatedElement element) {
        MergedAnnotation<DistributedLock> found =
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(DistributedLock.class);
        return found.isPresent() ? Optional.of(found) : Optional.empty();
    }
}
