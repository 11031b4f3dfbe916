package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;

/** What a user reads who starts an application that is configured in a wrong way. */
public final class StartFailures {

    private StartFailures() {}

    /** The analysis that Boot would print. */
    public static FailureAnalysis of(ApplicationContextRunner runner) {
        AtomicReference<ConfigurableApplicationContext> application = new AtomicReference<>();
        AtomicReference<FailureAnalysis> analysis = new AtomicReference<>();
        runner.withInitializer(application::set).run(context -> {
            assertThat(context).hasFailed();
            analysis.set(analyze(context.getStartupFailure(), application.get()));
        });
        return analysis.get();
    }

    /** The same for an application that a user starts by its main method. */
    public static FailureAnalysis of(SpringApplication started, String... arguments) {
        AtomicReference<ConfigurableApplicationContext> application = new AtomicReference<>();
        started.addInitializers(application::set);
        Throwable failure = catchThrowable(() -> started.run(arguments).close());
        assertThat(failure).isNotNull();
        return analyze(failure, application.get());
    }

    private static FailureAnalysis analyze(Throwable failure, ConfigurableApplicationContext application) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(BeanFactory.class, application.getBeanFactory())
                                .and(Environment.class, application.getEnvironment()),
                        (type, notOnThisClassPath, cause) -> {})
                .stream()
                // in an application, the jar of Spring Boot precedes that of this library on the class path
                .sorted(Comparator.comparing(
                        analyzer -> analyzer.getClass().getName().startsWith("io.leasehold.")))
                .sorted(AnnotationAwareOrderComparator.INSTANCE)
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no analyzer knows", failure));
    }
}
