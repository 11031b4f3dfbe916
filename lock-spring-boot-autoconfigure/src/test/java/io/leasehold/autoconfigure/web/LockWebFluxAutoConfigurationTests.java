package io.leasehold.autoconfigure.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.error.ErrorWebFluxAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Locks in an application with Spring WebFlux. */
class LockWebFluxAutoConfigurationTests {

    private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LockAutoConfiguration.class,
                    LockAspectAutoConfiguration.class,
                    LockWebMvcAutoConfiguration.class,
                    LockWebFluxAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    CodecsAutoConfiguration.class,
                    HttpHandlerAutoConfiguration.class,
                    WebFluxAutoConfiguration.class,
                    ErrorWebFluxAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory", "lock.defaults.wait-time=0s", "lock.instance-name=" + LockedOrders.HOLDER)
            .withBean(LockedOrders.class);

    @ParameterizedTest
    @ValueSource(strings = {"/unlocked", "/value", "/mono", "/stage"})
    void aLockThatIsNotAcquiredIsAConflict(String uri) {
        runner.run(context -> {
            String body = whileLocked(context, uri, 409, MediaType.APPLICATION_JSON);
            assertThat(body).contains("Conflict").doesNotContain(LockedOrders.KEY, LockedOrders.HOLDER);
        });
    }

    @Test
    void theMessageNamesNeitherKeyNorHolder() {
        runner.withPropertyValues("spring.web.error.include-message=always")
                .run(context -> assertThat(whileLocked(context, "/mono", 409, MediaType.APPLICATION_JSON))
                        .contains(LockedOrders.TEXT)
                        .doesNotContain(LockedOrders.KEY, LockedOrders.HOLDER));
    }

    @Test
    void theStatusCanBeSet() {
        runner.withPropertyValues("lock.web.status=503")
                .run(context -> whileLocked(context, "/mono", 503, MediaType.APPLICATION_JSON));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/unlocked", "/value", "/mono", "/stage"})
    void itIsAProblemDetailIfTheApplicationUsesThem(String uri) {
        runner.withPropertyValues("spring.webflux.problemdetails.enabled=true")
                .run(context -> assertThat(whileLocked(context, uri, 409, MediaType.APPLICATION_PROBLEM_JSON))
                        .contains(LockedOrders.TEXT)
                        .doesNotContain(LockedOrders.KEY, LockedOrders.HOLDER));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theApplicationsOwnHandlerWins(boolean problemDetails) {
        runner.withPropertyValues("spring.webflux.problemdetails.enabled=" + problemDetails)
                .withBean(OwnAnswers.ToLockNotAcquired.class)
                .run(context -> assertThat(whileLocked(context, "/mono", 429, MediaType.APPLICATION_JSON))
                        .isEqualTo("own answer"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerOfAllExceptionsWins(boolean problemDetails) {
        runner.withPropertyValues("spring.webflux.problemdetails.enabled=" + problemDetails)
                .withBean(OwnAnswers.ToEverything.class)
                .run(context -> whileLocked(context, "/mono", 502, MediaType.APPLICATION_JSON));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/value", "/mono", "/stage"})
    void aLockedHandlerMethodGetsItsHandle(String uri) {
        runner.run(context -> client(context)
                .get()
                .uri(uri)
                .exchange()
                .expectBody(String.class)
                .isEqualTo("held true"));
    }

    @Test
    void theParameterOfAnotherHandlerMethodIsLeftToSpring() {
        runner.run(context -> client(context)
                .get()
                .uri("/not-locked")
                .exchange()
                .expectStatus()
                .is5xxServerError());
    }

    @Test
    void anotherApplicationHasNothingOfIt() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockWebFluxAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(LockWebProperties.class));
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockWebFluxAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(WebFluxConfigurer.class))
                .run(context -> assertThat(context).doesNotHaveBean(LockWebProperties.class));
    }

    private static String whileLocked(ApplicationContext context, String uri, int status, MediaType type) {
        try (LockHandle held = context.getBean(Locker.class).lock(LockedOrders.KEY)) {
            assertThat(held.isHeld()).isTrue();
            String body = client(context)
                    .get()
                    .uri(uri)
                    .accept(type)
                    .exchange()
                    .expectStatus()
                    .isEqualTo(status)
                    .expectBody(String.class)
                    .returnResult()
                    .getResponseBody();
            return body == null ? "" : body;
        }
    }

    private static WebTestClient client(ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context).build();
    }
}
