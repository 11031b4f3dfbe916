package io.leasehold.autoconfigure.locker;

import io.leasehold.aop.invocation.CallerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ClassUtils;

/**
 * The executor and the task decorators of the application, for asynchronous calls that had to wait for a lock. They are
 * looked up by the first call that needs them, so that nothing creates them early.
 */
public final class ApplicationTasks {

    /** The property with the name of the executor's bean; without it, the executor that Spring would use is taken. */
    public static final String EXECUTOR = "lock.aspect.executor";

    private static final String DEFAULT_EXECUTOR = "applicationTaskExecutor";

    private static final boolean CONTEXT_PROPAGATION = ClassUtils.isPresent(
            "io.micrometer.context.ContextSnapshotFactory", ApplicationTasks.class.getClassLoader());

    private ApplicationTasks() {}

    /** The context for locked methods, on the application's executor. */
    public static CallerContext context(ListableBeanFactory beans, Environment environment) {
        return new CallerContext(
                new FirstLookup<>(() -> executor(beans, environment.getProperty(EXECUTOR))), decorator(beans));
    }

    /**
     * The context for callers whose threads may be those of the application's executor, and wait for the result: on the
     * default executor of {@code CompletableFuture}, which always has a thread for it.
     */
    public static CallerContext waitableContext(ListableBeanFactory beans) {
        return new CallerContext(CallerContext.DEFAULT.executors(), decorator(beans));
    }

    private static TaskDecorator decorator(ListableBeanFactory beans) {
        FirstLookup<List<TaskDecorator>> decorators = new FirstLookup<>(() -> decorators(beans));
        return task -> {
            Runnable decorated = task;
            for (TaskDecorator decorator : decorators.get()) {
                decorated = decorator.decorate(decorated);
            }
            return decorated;
        };
    }

    private static Executor executor(ListableBeanFactory beans, @Nullable String name) {
        if (name != null) {
            return beans.getBean(name, Executor.class);
        }
        if (beans.containsBean(DEFAULT_EXECUTOR) && beans.isTypeMatch(DEFAULT_EXECUTOR, Executor.class)) {
            return beans.getBean(DEFAULT_EXECUTOR, Executor.class);
        }
        TaskExecutor only = beans.getBeanProvider(TaskExecutor.class).getIfUnique();
        return only == null || only instanceof TaskScheduler
                ? CallerContext.DEFAULT.executors().get()
                : only;
    }

    private static List<TaskDecorator> decorators(ListableBeanFactory beans) {
        List<TaskDecorator> decorators = new ArrayList<>(
                beans.getBeanProvider(TaskDecorator.class).orderedStream().toList());
        if (CONTEXT_PROPAGATION && decorators.stream().noneMatch(ContextPropagatingTaskDecorator.class::isInstance)) {
            decorators.add(new ContextPropagatingTaskDecorator());
        }
        return decorators;
    }
}
