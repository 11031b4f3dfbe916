package io.leasehold.aop.spec;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Types of results whose work may not be done when the method returns. */
final class UnsupportedResultTypes {

    private static final Set<Class<?>> OF_JDK =
            Set.of(CompletionStage.class, Future.class, Callable.class, Flow.Publisher.class, BaseStream.class);

    private static final Set<String> OF_OTHERS = Set.of(
            "org.reactivestreams.Publisher",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "io.smallrye.mutiny.Uni",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "kotlin.sequences.Sequence");

    /** Types may be declared by means of themselves. */
    private static final int DEEPEST = 4;

    private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            return isLater(type);
        }
    };

    private UnsupportedResultTypes() {}

    static boolean contains(Class<?> type) {
        return KNOWN.get(type);
    }

    /** The type itself or what it is declared to contain, such as the stage in an {@code Optional}; if any is later. */
    static @Nullable Class<?> in(ResolvableType declared) {
        return in(declared, DEEPEST);
    }

    private static @Nullable Class<?> in(ResolvableType declared, int levels) {
        Class<?> type = declared.resolve();
        // a task that is handed out has not begun
        boolean task = type == Callable.class && levels < DEEPEST;
        if (type == null || task) {
            return null;
        }
        if (contains(type)) {
            return type;
        }
        for (ResolvableType content : levels == 0 ? new ResolvableType[0] : declared.getGenerics()) {
            Class<?> later = in(content, levels - 1);
            if (later != null) {
                return later;
            }
        }
        return null;
    }

    private static boolean isLater(Class<?> type) {
        if (OF_JDK.stream().anyMatch(later -> later.isAssignableFrom(type))) {
            return true;
        }
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            if (OF_OTHERS.contains(one.getName())) {
                return true;
            }
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(one -> OF_OTHERS.contains(one.getName()));
    }
}
