package io.leasehold.aop.invocation;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.task.TaskDecorator;

/**
 * The executor and the context for work that had to wait for its lock, such as the body of a stage. The context consists
 * of the logging context, the locale and the context class loader of the caller's thread, and of that of the decorator.
 *
 * @param executors supplies the executor; used by each call
 * @param decorator the application's decorator, which adds further context
 */
public record CallerContext(Supplier<Executor> executors, TaskDecorator decorator) {

    /** The default executor of {@link CompletableFuture}, without a decorator. */
    public static final CallerContext DEFAULT =
            new CallerContext(() -> new CompletableFuture<>().defaultExecutor(), task -> task);

    Executor executor() {
        return executors.get();
    }

    /** Runs a task on the executor, or on this thread if the executor does not take it. */
    public void resume(Runnable task) {
        AsyncLockAcquisition.resume(executor(), task);
    }

    /**
     * Captures the context of this thread for the continuation of one future. If that future is incomplete when it is
     * passed to the function, the returned one is completed on the executor, in this context. It fails if the context
     * cannot be applied, regardless of the outcome of the other one.
     */
    public <T> UnaryOperator<CompletableFuture<T>> resumption() {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable captured = capture(() -> outcome.whenComplete((value, failure) -> complete(result, value, failure)));
        return future -> {
            if (future.isDone()) {
                return future;
            }
            future.whenComplete((value, failure) -> {
                complete(outcome, value, failure);
                resume(() -> {
                    try {
                        captured.run();
                    } catch (Throwable ex) {
                        result.completeExceptionally(ex);
                    }
                });
            });
            return result;
        };
    }

    private static <T> void complete(CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(AsyncLockAcquisition.causeOf(failure));
        }
    }

    /** Wraps a task so that another thread runs it in the context of this one. */
    Runnable capture(Runnable task) {
        Runnable decorated = decorator.decorate(task);
        Map<String, String> log = MDC.getCopyOfContextMap();
        LocaleContext locale = LocaleContextHolder.getLocaleContext();
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return () -> run(decorated, log, locale, loader);
    }

    private static void run(
            Runnable task,
            @Nullable Map<String, String> log,
            @Nullable LocaleContext locale,
            @Nullable ClassLoader loader) {
        Thread thread = Thread.currentThread();
        Map<String, String> logBefore = MDC.getCopyOfContextMap();
        LocaleContext localeBefore = LocaleContextHolder.getLocaleContext();
        ClassLoader loaderBefore = thread.getContextClassLoader();
        try {
            apply(log, locale, loader);
            task.run();
        } finally {
            apply(logBefore, localeBefore, loaderBefore);
        }
    }

    private static void apply(
            @Nullable Map<String, String> log, @Nullable LocaleContext locale, @Nullable ClassLoader loader) {
        if (log == null) {
            MDC.clear();
        } else {
            MDC.setContextMap(log);
        }
        LocaleContextHolder.setLocaleContext(locale);
        Thread.currentThread().setContextClassLoader(loader);
    }
}
