package io.leasehold.support;

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.StringTokenizer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/** Types of results whose work may go on after the call that returned them, or that are read only afterwards. */
public final class DeferredTypes {

    private static final Set<Class<?>> OF_JDK = Set.of(
            CompletionStage.class,
            Future.class,
            Flow.Publisher.class,
            BaseStream.class,
            Iterator.class,
            Spliterator.class,
            Enumeration.class,
            InputStream.class,
            Reader.class);

    private static final Set<Class<?>> IN_MEMORY =
            Set.of(ByteArrayInputStream.class, StringReader.class, CharArrayReader.class, StringTokenizer.class);

    /** By name, because this module does not depend on them. */
    private static final Set<String> OF_OTHERS = Set.of(
            "org.reactivestreams.Publisher",
            // what Reactor returns for a subscription
            "org.reactivestreams.Subscriber",
            "org.reactivestreams.Subscription",
            "reactor.core.publisher.Sinks$Empty",
            "reactor.core.publisher.Sinks$Many",
            "org.springframework.core.io.InputStreamResource",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "org.springframework.web.servlet.function.AsyncServerResponse",
            "org.springframework.web.servlet.function.SseServerResponse",
            "org.springframework.web.servlet.function.StreamingServerResponse",
            "com.mongodb.client.MongoIterable",
            "java.sql.ResultSet",
            "org.hibernate.ScrollableResults",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.Completable",
            "io.reactivex.Observable",
            "io.reactivex.disposables.Disposable",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Observable",
            "io.reactivex.rxjava3.disposables.Disposable",
            "io.smallrye.mutiny.Uni",
            "io.vertx.core.Future",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.channels.ReceiveChannel",
            "kotlinx.coroutines.flow.Flow",
            "kotlin.sequences.Sequence");

    /** Work that goes on if a result has exactly this type. Schedulers and connections, which are no work, extend it. */
    private static final String DISPOSABLE = "reactor.core.Disposable";

    private static final ClassValue<Boolean> DEFERRED = new ClassValue<>() {

        @Override
        protected Boolean computeValue(Class<?> type) {
            return isDeferred(type);
        }
    };

    private DeferredTypes() {}

    /** Whether a result of this type may be deferred. */
    public static boolean contains(Class<?> type) {
        return DEFERRED.get(type) || type.getName().equals(DISPOSABLE);
    }

    /** Whether a result of such a type is a value like any other: a future or stage that is complete. */
    public static boolean isDone(Object result) {
        try {
            return result instanceof CompletionStage<?> stage
                    // a minimal stage does not answer itself
                    ? stage.toCompletableFuture().isDone()
                    : result instanceof Future<?> future && future.isDone();
        } catch (UnsupportedOperationException ex) {
            return false;
        }
    }

    /** Whether only the reader of a result continues its work, so that it ends with the reader. */
    public static boolean isContinuedByItsReader(Object result) {
        return result instanceof BaseStream
                || result instanceof Iterable
                || result instanceof Iterator
                || result instanceof Spliterator
                || result instanceof Enumeration
                || result instanceof InputStream
                || result instanceof Reader;
    }

    private static boolean isDeferred(Class<?> type) {
        if (IN_MEMORY.contains(type)) {
            return false;
        }
        return OF_JDK.contains(type)
                || OF_OTHERS.contains(type.getName())
                || isLazy(type)
                || type.getSuperclass() != null && DEFERRED.get(type.getSuperclass())
                || Arrays.stream(type.getInterfaces()).anyMatch(DEFERRED::get);
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
}
