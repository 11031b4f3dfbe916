package io.leasehold.aop.spec;

import io.leasehold.support.DeferredTypes;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.ui.Model;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.reactive.function.server.RenderingResponse;
import org.springframework.web.reactive.result.view.Rendering;

/** Types of results whose work may not be done when the method returns, or which are read only afterwards. */
final class UnsupportedResultTypes {

    private static final List<Class<?>> TASKS = List.of(Callable.class, Runnable.class, Supplier.class);

    /** Types may be declared by means of themselves. */
    private static final int DEEPEST = 4;

    private static final boolean HTTP = isPresent("org.springframework.http.HttpEntity");

    private static final boolean SERVLET = isPresent("org.springframework.web.servlet.function.EntityResponse");

    private static final boolean WEBFLUX = isPresent("org.springframework.web.reactive.function.server.EntityResponse");

    private UnsupportedResultTypes() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, UnsupportedResultTypes.class.getClassLoader());
    }

    /** The caller of the method runs a task that it returns. A task in a container has not begun. */
    private static boolean contains(Class<?> type, boolean outermost) {
        return DeferredTypes.contains(type) || outermost && isTask(type);
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
        return unfinished(result, 0);
    }

    /** The same for the value of a {@code Mono} or a stage. */
    static @Nullable Object unfinishedWithin(@Nullable Object value) {
        return unfinished(value, 1);
    }

    private static @Nullable Object unfinished(@Nullable Object result, int outermost) {
        Object content = result;
        for (int level = outermost; level <= DEEPEST && content != null; level++) {
            if (contains(content.getClass(), level == 0)) {
                return DeferredTypes.isDone(content) ? null : content;
            }
            content = content(content);
        }
        return null;
    }

    private static @Nullable Object content(Object container) {
        if (container instanceof Optional<?> optional) {
            return optional.orElse(null);
        }
        if (container instanceof Object[] array) {
            return array.length == 0 ? null : array[0];
        }
        if (container instanceof Collection<?> collection && isPlain(container)) {
            return first(collection);
        }
        if (container instanceof Map<?, ?> map && isPlain(container)) {
            return first(map.values());
        }
        if (container instanceof Model model) {
            return unfinishedAttribute(model.asMap());
        }
        Object body = HTTP ? HttpBody.of(container) : null;
        if (body == null && SERVLET) {
            body = ServletBody.of(container);
        }
        return body == null && WEBFLUX ? WebFluxBody.of(container) : body;
    }

    /** Another thread may change the collection meanwhile. */
    private static @Nullable Object first(Collection<?> collection) {
        Iterator<?> elements = collection.iterator();
        return elements.hasNext() ? elements.next() : null;
    }

    /** WebFlux awaits the publishers among the attributes of a model before it renders the view. */
    private static @Nullable Object unfinishedAttribute(Map<String, ?> model) {
        return model.values().stream()
                .filter(value -> value != null && DeferredTypes.contains(value.getClass()))
                .filter(value -> !DeferredTypes.isDone(value))
                .findFirst()
                .orElse(null);
    }

    /** Whether reading it has no effect. A view of the JDK may be one of a collection that is still to be loaded. */
    private static boolean isPlain(Object collection) {
        String type = collection.getClass().getName();
        return type.startsWith("java.util.") && !type.startsWith("java.util.Collections$");
    }

    private static final class HttpBody {

        static @Nullable Object of(Object result) {
            return result instanceof HttpEntity<?> entity ? entity.getBody() : null;
        }
    }

    private static final class ServletBody {

        static @Nullable Object of(Object result) {
            return result instanceof org.springframework.web.servlet.function.EntityResponse<?> response
                    ? response.entity()
                    : null;
        }
    }

    private static final class WebFluxBody {

        static @Nullable Object of(Object result) {
            if (result instanceof org.springframework.web.reactive.function.server.EntityResponse<?> response) {
                return response.entity();
            }
            if (result instanceof RenderingResponse response) {
                return unfinishedAttribute(response.model());
            }
            if (result instanceof Rendering rendering) {
                return unfinishedAttribute(rendering.modelAttributes());
            }
            return result instanceof org.springframework.web.reactive.function.server.ServerResponse
                    ? ofLambda(result)
                    : null;
        }

        /** The publisher of {@code build(publisher)} or of a {@code BodyInserter} is visible only in Spring's lambda. */
        private static @Nullable Object ofLambda(Object response) {
            return fields(response)
                    .filter(field -> field.getClass().isHidden())
                    .flatMap(WebFluxBody::fields)
                    .filter(captured -> DeferredTypes.contains(captured.getClass()))
                    .findFirst()
                    .orElse(null);
        }

        private static Stream<Object> fields(Object owner) {
            return Arrays.stream(owner.getClass().getDeclaredFields())
                    .filter(Field::trySetAccessible)
                    .map(field -> ReflectionUtils.getField(field, owner))
                    .filter(Objects::nonNull);
        }
    }
}
