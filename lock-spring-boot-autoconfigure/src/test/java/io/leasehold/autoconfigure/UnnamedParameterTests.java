package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A class that was compiled without {@code -parameters}, so that its constructor's parameter has no name. */
class UnnamedParameterTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory");

    @TempDir
    Path directory;

    @Test
    void itNamesNoneOfTheConfiguredLockers() throws Exception {
        Class<?> type = compiled();
        FailureAnalysis failure = StartFailures.of(
                runner.withPropertyValues("lock.lockers.deploy.ttl=30s").withBean(type));
        assertThat(failure.getDescription() + failure.getAction())
                .contains("names none of the lockers")
                .contains("deployLocker, defaultLocker")
                .contains("parameters have names with -parameters only");
    }

    @Test
    void itMeansTheDefaultIfNoneIsConfigured() throws Exception {
        Class<?> type = compiled();
        runner.withBean(type).run(context -> assertThat(context).hasNotFailed());
    }

    private Class<?> compiled() throws IOException, ClassNotFoundException, MalformedURLException {
        Path source = Files.writeString(
                directory.resolve("Deployments.java"),
                "public class Deployments { public Deployments(io.leasehold.Locker deployLocker) {} }");
        int result = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-g:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        directory.toString(),
                        source.toString());
        assertThat(result).isZero();
        URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        return loader.loadClass("Deployments");
    }
}
