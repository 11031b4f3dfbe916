package io.leasehold.aop.spec;

import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

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
                .or(() -> nearest(ofMethodsOfInterfaces(specific, targetClass)))
                .or(() -> byClass(specific))
                .or(() -> nearest(ofInterfaces(specific, targetClass)))
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

    /** The type of the annotation as it is written, which may be one that is composed with {@link DistributedLock}. */
    static Class<?> declared(Method method) {
        return find(method, method.getDeclaringClass())
                .<Class<?>>map(found -> found.getRoot().getType())
                .orElse(DistributedLock.class);
    }

    static boolean hasAttribute(Class<?> annotation, String attribute) {
        return ClassUtils.hasMethod(annotation, attribute);
    }

    /**
     * The attributes of a composed annotation that are called like those of {@link DistributedLock} and have no effect,
     * since they are no aliases of attributes of it or of an annotation without locks, sorted.
     */
    static List<String> unaliased(Class<?> composed) {
        return Arrays.stream(DistributedLock.class.getDeclaredMethods())
                .map(Method::getName)
                .filter(name -> {
                    Method attribute = ClassUtils.getMethodIfAvailable(composed, name, new Class<?>[0]);
                    return attribute != null && !hasEffect(attribute);
                })
                .sorted()
                .toList();
    }

    private static boolean hasEffect(Method attribute) {
        AliasFor alias = attribute.getAnnotation(AliasFor.class);
        if (alias == null
                || alias.annotation() == Annotation.class
                || alias.annotation() == attribute.getDeclaringClass()) {
            return false;
        }
        Class<? extends Annotation> other = alias.annotation();
        if (other == DistributedLock.class || !MergedAnnotations.from(other).isPresent(DistributedLock.class)) {
            return true;
        }
        String name = Stream.of(alias.attribute(), alias.value(), attribute.getName())
                .filter(StringUtils::hasText)
                .findFirst()
                .orElseThrow();
        return hasEffect(ClassUtils.getMethod(other, name));
    }

    /** How many annotations at the place of this one carry a lock. */
    static long countAtPlaceOf(MergedAnnotation<DistributedLock> annotation) {
        return annotation.getRoot().getSource() instanceof AnnotatedElement place
                ? MergedAnnotations.from(place, SearchStrategy.DIRECT).stream(DistributedLock.class)
                        .count()
                : 1;
    }

    /**
     * The annotations of the methods of interfaces that the target class implements by this method. If it inherits the
     * method, the hierarchy of the method does not contain these interfaces.
     */
    private static Stream<MergedAnnotation<DistributedLock>> ofMethodsOfInterfaces(
            Method specific, Class<?> targetClass) {
        return interfaces(targetClass)
                .flatMap(type -> declarations(type, specific, targetClass))
                .map(LockAnnotations::on)
                .flatMap(Optional::stream);
    }

    /** The same, and those of the types of these interfaces. */
    private static Stream<MergedAnnotation<DistributedLock>> ofInterfaces(Method specific, Class<?> targetClass) {
        return interfaces(targetClass)
                .flatMap(type -> declarations(type, specific, targetClass)
                        .map(declared -> on(declared).or(() -> byType(specific, type))))
                .flatMap(Optional::stream);
    }

    private static Stream<Class<?>> interfaces(Class<?> targetClass) {
        return ClassUtils.getAllInterfacesForClassAsSet(targetClass).stream();
    }

    private static Stream<Method> declarations(Class<?> type, Method specific, Class<?> targetClass) {
        return Arrays.stream(type.getMethods())
                .filter(declared -> declared.getName().equals(specific.getName())
                        && AopUtils.getMostSpecificMethod(declared, targetClass).equals(specific));
    }

    /** The annotations of the methods of superclasses that this method overrides. */
    private static Stream<MergedAnnotation<DistributedLock>> ofSuperclasses(Method specific) {
        return Stream.<Class<?>>iterate(
                        specific.getDeclaringClass().getSuperclass(), Objects::nonNull, Class::getSuperclass)
                .map(type -> ClassUtils.getMethodIfAvailable(type, specific.getName(), specific.getParameterTypes()))
                .filter(Objects::nonNull)
                .map(LockAnnotations::on)
                .flatMap(Optional::stream);
    }

    /**
     * Whether an interface has the annotation, and another interface or a superclass that is not related to it asks for
     * another lock at the same place.
     */
    static boolean hasRival(MergedAnnotation<DistributedLock> annotation, Method method, Class<?> targetClass) {
        Object place = annotation.getRoot().getSource();
        Class<?> type = typeOf(place);
        if (type == null || !type.isInterface()) {
            return false;
        }
        Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
        Stream<MergedAnnotation<DistributedLock>> all = place instanceof Class<?>
                ? MergedAnnotations.from(targetClass, SearchStrategy.TYPE_HIERARCHY).stream(DistributedLock.class)
                : Stream.concat(ofInterfaces(specific, targetClass), ofSuperclasses(specific));
        return all.anyMatch(other -> {
            Class<?> rival = typeOf(other.getRoot().getSource());
            return rival != null
                    && areUnrelated(type, rival)
                    && !other.synthesize().equals(annotation.synthesize());
        });
    }

    private static @Nullable Class<?> typeOf(@Nullable Object place) {
        Object type = place instanceof Method declared ? declared.getDeclaringClass() : place;
        return type instanceof Class<?> found ? found : null;
    }

    private static boolean areUnrelated(Class<?> one, Class<?> other) {
        return !one.isAssignableFrom(other) && !other.isAssignableFrom(one);
    }

    /** A default method belongs to the interface of the target class that is nearest, not to the one that declares it. */
    private static Optional<MergedAnnotation<DistributedLock>> byClass(Method specific) {
        Class<?> type = specific.getDeclaringClass();
        return type.isInterface() ? Optional.empty() : byType(specific, type);
    }

    private static Optional<MergedAnnotation<DistributedLock>> byType(Method method, Class<?> type) {
        boolean covered = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && ClassUtils.isUserLevelMethod(method)
                && !ReflectionUtils.isObjectMethod(method);
        return covered ? on(type) : Optional.empty();
    }

    /** The annotation of the element, or of the nearest one that it overrides or extends. */
    private static Optional<MergedAnnotation<DistributedLock>> on(AnnotatedElement element) {
        MergedAnnotations all = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        return all.isPresent(DistributedLock.class) ? nearest(all.stream(DistributedLock.class)) : Optional.empty();
    }

    /**
     * The first one that no other one is nearer than. Spring looks at interfaces before superclasses, although a superclass
     * that implements the interface is nearer, and at interfaces in the order in which a class names them.
     */
    private static Optional<MergedAnnotation<DistributedLock>> nearest(
            Stream<MergedAnnotation<DistributedLock>> candidates) {
        List<MergedAnnotation<DistributedLock>> found = candidates.toList();
        return found.stream()
                .filter(one -> found.stream().noneMatch(other -> isNearer(other, one)))
                .findFirst();
    }

    private static boolean isNearer(MergedAnnotation<DistributedLock> one, MergedAnnotation<DistributedLock> other) {
        Class<?> near = typeOf(one.getRoot().getSource());
        Class<?> far = typeOf(other.getRoot().getSource());
        return near != null && far != null && near != far && far.isAssignableFrom(near);
    }
}
