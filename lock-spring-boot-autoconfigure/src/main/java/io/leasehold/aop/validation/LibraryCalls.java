package io.leasehold.aop.validation;

import io.leasehold.aop.spec.LockAnnotations;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The methods of a bean that a library finds by an annotation and calls on the object behind the proxy. */
final class LibraryCalls {

    /** The annotations of listeners. Spring Batch calls the methods of its interfaces on the proxy. */
    private static final String BATCH = "org.springframework.batch.core.annotation.";

    /** Camel's post-processor keeps the bean that it processes, in order to call the method. */
    private static final String CONSUME = "org.apache.camel.Consume";

    private static final String RECOVER = "org.springframework.retry.annotation.Recover";

    private static final String RETRYABLE = "org.springframework.retry.annotation.Retryable";

    private LibraryCalls() {}

    /** The annotation and its library, if there is one. An annotated type does not mean the listeners of Spring Batch. */
    static Optional<String> of(Method method, Class<?> type) {
        MergedAnnotations annotations = annotationsOf(method);
        if (annotations.isPresent(CONSUME)) {
            return Optional.of("@Consume of Apache Camel");
        }
        if (annotations.isPresent(RECOVER) && !isRecoveredByProxy(method, type)) {
            return Optional.of("@Recover of Spring Retry");
        }
        if (!LockAnnotations.isOnMethod(method)) {
            return Optional.empty();
        }
        return annotations.stream()
                .map(MergedAnnotation::getType)
                .filter(annotation -> annotation.getName().startsWith(BATCH))
                .map(annotation -> "@" + ClassUtils.getShortName(annotation) + " of Spring Batch")
                .findFirst();
    }

    /** Spring Retry looks for a public method of the proxy, but knows no proxy if its retries have a state. */
    private static boolean isRecoveredByProxy(Method method, Class<?> type) {
        return Modifier.isPublic(method.getModifiers())
                && !isStateful(type)
                && Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type)).noneMatch(LibraryCalls::isStateful);
    }

    /** Also for {@code @CircuitBreaker}, which is composed of the annotation. */
    private static boolean isStateful(AnnotatedElement element) {
        MergedAnnotation<Annotation> retryable = annotationsOf(element).get(RETRYABLE);
        return retryable.isPresent() && retryable.getBoolean("stateful");
    }

    private static MergedAnnotations annotationsOf(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
    }
}
