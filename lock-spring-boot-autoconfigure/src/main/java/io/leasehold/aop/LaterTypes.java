package io.leasehold.aop;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.springframework.util.ClassUtils;

/** Types of results whose work may not be done when the method returns. */
final class LaterTypes {

    private static final Set<Class<?>> OF_JDK =
            Set.of(CompletionStage.class, Future.class, Callable.class, Flow.Publisher.class);

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
            "kotlinx.coroutines.flow.Flow");

    private LaterTypes() {}

    static boolean contains(Class<?> type) {
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
