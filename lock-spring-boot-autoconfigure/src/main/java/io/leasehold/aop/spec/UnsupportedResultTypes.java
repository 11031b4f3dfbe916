package io.leasehold.aop.spec;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/** Types of results whose work may not be done when the method returns, or which are read only afterwards. */
final class UnsupportedResultTypes {

    private static final Set<Class<?>> OF_JDK = Set.of(
            CompletionStage.class,
            Future.class,
            Flow.Publisher.class,
            BaseStream.class,
            Iterator.class,
            InputStream.class);

    private static final List<Class<?>> TASKS = List.of(Callable.class, Runnable.class, Supplier.class);

    private static final Set<String> OF_OTHERS = Set.of(
            "org.reactivestreams.Publisher",
            "org.springframework.core.io.InputStreamResource",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "com.mongodb.client.MongoIterable",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.Completable",
            "io.reactivex.Observable",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "io.smallrye.mutiny.Uni",
            "io.vertx.core.Future",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "kotlinx.coroutines.flow.Flow",
            "kotlin.sequences.Sequence");

    /** Types may be declared by means of themselves. */
    private static final int DEEPEST = 4;

    private static final boolean HTTP =
            ClassUtils.isPresent("org.springframework.http.HttpEntity", UnsupportedResultTypes.class.getClassLoader());

    private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            return isLater(type);
        }
    };

    private UnsupportedResultTypes() {}

    /** The caller of the method runs a task that it returns. A task in a container has not begun. */
    private static boolean contains(Class<?> type, boolean outermost) {
        return KNOWN.get(type) || outermost && isTask(type);
    }

    /** A {@code Page} is a supplier too, of a stream of its elements. */
    private static boolean isTask(Class<?> type) {
        return TASKS.stream().anyMatch(task -> task.isAssignableFrom(type)) && !Iterable.class.isAssignableFrom(type);
    }

    /** The type itself or what it is declared to contain, such as the stage in an {@code Optional}; if any is later. */
    static @Nullable Class<?> in(ResolvableType declared) {
        return in(declared, DEEPEST);
    }

    private static @Nullable Class<?> in(ResolvableType declared, int levels) {
        Class<?> type = declared.resolve();
        if (type == null) {
            return null;
        }
        if (contains(type, levels == DEEPEST)) {
            return type;
        }
        return within(declared, levels);
    }

    /** The same for what the type is declared to contain, such as the {@code Flux} in a {@code Mono}. */
    static @Nullable Class<?> within(ResolvableType declared) {
        return within(declared, DEEPEST);
    }

    private static @Nullable Class<?> within(ResolvableType declared, int levels) {
        ResolvableType[] contents =
                declared.isArray() ? new ResolvableType[] {declared.getComponentType()} : declared.getGenerics();
        for (ResolvableType content : levels == 0 ? new ResolvableType[0] : contents) {
            Class<?> later = in(content, levels - 1);
            if (later != null) {
                return later;
            }
        }
        return null;
    }

    /**
     * Returns the result, or what it contains, if the work of that goes on. Of an array or a collection, only the first
     * element is looked at: the others are of the same kind, and may be many.
     */
    static @Nullable Object unfinished(@Nullable Object result) {
        Object content = result;
        for (int level = 0; level <= DEEPEST && content != null; level++) {
            if (contains(content.getClass(), level == 0)) {
                return isDone(content) ? null : content;
            }
            content = content(content);
        }
        return null;
    }

    private static boolean isDone(Object result) {
        try {
            return result instanceof CompletionStage<?> stage
                    // a minimal stage does not answer itself
                    ? stage.toCompletableFuture().isDone()
                    : result instanceof Future<?> future && future.isDone();
        } catch (UnsupportedOperationException ex) {
            return false;
        }
    }

    private static @Nullable Object content(Object container) {
        if (container instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (container instanceof Object[] array) {
            return array.length == 0 ? null : array[0];
        }
        if (container instanceof Collection<?> collection && isPlain(container)) {
            return collection.isEmpty() ? null : collection.iterator().next();
        }
        if (container instanceof Map<?, ?> map && isPlain(container)) {
            return map.isEmpty() ? null : map.values().iterator().next();
        }
        return HTTP ? HttpBody.of(container) : null;
    }

    /** Whether reading it has no effect. A view of the JDK may be one of a collection that is still to be loaded. */
    private static boolean isPlain(Object collection) {
        String type = collection.getClass().getName();
        return type.startsWith("java.util.") && !type.startsWith("java.util.Collections$");
    }

    private static boolean isLater(Class<?> type) {
        if (type == ByteArrayInputStream.class) {
            return false;
        }
        return OF_JDK.contains(type)
                || OF_OTHERS.contains(type.getName())
                || isLazy(type)
                || type.getSuperclass() != null && KNOWN.get(type.getSuperclass())
                || Arrays.stream(type.getInterfaces()).anyMatch(KNOWN::get);
    }

    /**
     * Whether it is a lambda or an anonymous class that computes its elements when they are read, or a cursor that reads
     * until it is closed. Other classes, such as {@code Page}, {@code Path} and those of the application, have elements.
     */
    private static boolean isLazy(Class<?> type) {
        return Iterable.class.isAssignableFrom(type)
                && !Collection.class.isAssignableFrom(type)
                && (type.isHidden() || type.isAnonymousClass() || AutoCloseable.class.isAssignableFrom(type));
    }

    private static final class HttpBody {

        static @Nullable Object of(Object result) {
            return result instanceof HttpEntity<?> entity ? entity.getBody() : null;
        }
    }
}
