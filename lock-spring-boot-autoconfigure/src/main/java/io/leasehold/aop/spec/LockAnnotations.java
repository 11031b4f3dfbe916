package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
                .or(() -> ofInterfaces(specific, targetClass))
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

    /**
     * The annotation of an interface that the target class implements by a method that it inherits. The hierarchy of that
     * method does not contain the interface.
     */
    private static Optional<MergedAnnotation<DistributedLock>> ofInterfaces(Method specific, Class<?> targetClass) {
        if (specific.getDeclaringClass() == targetClass || !Modifier.isPublic(specific.getModifiers())) {
            return Optional.empty();
        }
        return ClassUtils.getAllInterfacesForClassAsSet(targetClass).stream()
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(declared -> declared.getName().equals(specific.getName())
                        && AopUtils.getMostSpecificMethod(declared, targetClass).equals(specific))
                .map(declared -> on(declared).or(() -> byType(specific, declared.getDeclaringClass())))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Whether an interface that is not related to that of the annotation asks for another lock at the same place. */
    static boolean hasRival(MergedAnnotation<DistributedLock> annotation, Method method, Class<?> targetClass) {
        Object place = annotation.getRoot().getSource();
        Class<?> type = place instanceof Method declared
                ? declared.getDeclaringClass()
                : place instanceof Class<?> one ? one : null;
        return type != null
                && type.isInterface()
                && MergedAnnotations.from(place instanceof Method ? method : targetClass, SearchStrategy.TYPE_HIERARCHY)
                        .stream(DistributedLock.class)
                        .anyMatch(
                                other -> isOfUnrelatedInterface(other.getRoot().getSource(), type)
                                        && !other.synthesize().equals(annotation.synthesize()));
    }

    private static boolean isOfUnrelatedInterface(@Nullable Object place, Class<?> type) {
        Class<?> other = place instanceof Method declared
                ? declared.getDeclaringClass()
                : place instanceof Class<?> one ? one : null;
        return other != null && other.isInterface() && areUnrelated(type, other);
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
