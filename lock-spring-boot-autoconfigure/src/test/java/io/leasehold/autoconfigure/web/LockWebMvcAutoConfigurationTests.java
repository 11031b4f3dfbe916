package io.leasehold.autoconfigure.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import java.io.UnsupportedEncodingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Locks in an application with Spring MVC. */
class LockWebMvcAutoConfigurationTests {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockWebMvcAutoConfiguration.class,
                    LockWebFluxAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    HttpMessageConvertersAutoConfiguration.class,
                    DispatcherServletAutoConfiguration.class,
                    WebMvcAutoConfiguration.class,
                    ErrorMvcAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory", "lock.defaults.wait-time=0s", "lock.instance-name=" + LockedOrders.HOLDER)
            .withBean(LockedOrders.class);

    @ParameterizedTest
    @ValueSource(strings = {"/unlocked", "/value", "/mono", "/stage"})
    void aLockThatIsNotAcquiredIsAConflict(String uri) {
        runner.run(
                context -> assertThat(whileLocked(context, uri)).hasStatus(409).hasErrorMessage(LockedOrders.TEXT));
    }

    @Test
    void theStatusCanBeSet() {
        runner.withPropertyValues("lock.web.status=503")
                .run(context -> assertThat(whileLocked(context, "/value")).hasStatus(503));
    }

    @ParameterizedTest
    @CsvSource({"200, from 400 to 599", "conflict, must be a whole number"})
    void onlyAnErrorIsAccepted(String status, String message) {
        runner.withPropertyValues("lock.web.status=" + status)
                .run(context ->
                        assertThat(context).getFailure().rootCause().message().contains(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unlocked", "/value", "/mono", "/stage"})
    void itIsAProblemDetailIfTheApplicationUsesThem(String uri) {
        runner.withPropertyValues("spring.mvc.problemdetails.enabled=true").run(context -> {
            MvcTestResult result = whileLocked(context, uri);
            assertThat(result).hasStatus(409).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
            assertThat(result).bodyJson().extractingPath("$.detail").isEqualTo(LockedOrders.TEXT);
            assertThat(body(result)).doesNotContain(LockedOrders.KEY, LockedOrders.HOLDER);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theApplicationsOwnHandlerWins(boolean problemDetails) {
        runner.withPropertyValues("spring.mvc.problemdetails.enabled=" + problemDetails)
                .withBean(OwnAnswers.ToLockNotAcquired.class)
                .run(context -> assertThat(whileLocked(context, "/value"))
                        .hasStatus(429)
                        .hasBodyTextEqualTo("own answer"));
    }

    @Test
    void aHandlerOfAllExceptionsWins() {
        runner.withBean(OwnAnswers.ToEverything.class)
                .run(context -> assertThat(whileLocked(context, "/value")).hasStatus(502));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/value", "/mono", "/stage"})
    void aLockedHandlerMethodGetsItsHandle(String uri) {
        runner.run(context ->
                assertThat(MockMvcTester.from(context).get().uri(uri)).hasBodyTextEqualTo("held true"));
    }

    @Test
    void theParameterOfAnotherHandlerMethodIsLeftToSpring() {
        runner.run(context -> assertThat(MockMvcTester.from(context).get().uri("/not-locked"))
                .hasFailed()
                .failure()
                .hasMessageContaining(LockHandle.class.getName()));
    }

    @Test
    void anotherApplicationHasNothingOfIt() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockWebMvcAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(LockWebProperties.class));
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockWebMvcAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(DispatcherServlet.class, WebMvcConfigurer.class))
                .run(context -> assertThat(context).doesNotHaveBean(LockWebProperties.class));
    }

    private static MvcTestResult whileLocked(WebApplicationContext context, String uri) {
        try (LockHandle held = context.getBean(Locker.class).lock(LockedOrders.KEY)) {
            assertThat(held.isHeld()).isTrue();
            return MockMvcTester.from(context).get().uri(uri).exchange();
        }
    }

    private static String body(MvcTestResult result) throws UnsupportedEncodingException {
        return result.getResponse().getContentAsString();
    }
}
