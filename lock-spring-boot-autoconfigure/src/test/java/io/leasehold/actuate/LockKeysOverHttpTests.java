package io.leasehold.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LocksEndpointAutoConfiguration;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.reactive.context.AnnotationConfigReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keys through the endpoint, on real servers. The locks of all keys are held, so that a wrong one is noticed. */
class LockKeysOverHttpTests {

    private static final List<String> PLAIN = List.of("shop", "a/b", "b", "a", "a b", "ä€\uD83D\uDE00", "default/a");

    private static final List<String> TRICKY = List.of(
            "a//b", "/a", "a/", "//", "/", "a%2Fb", "%2F", "a%252Fb", "%", "../b", "a/../b", "a/./b", ".", "..",
            "a;x=1", "a;x=1/b", ";", "a,b", "a?b=c&d", "a&key=b", "a#b", "a+b", "{a}", "*", "a\\b", "a\"b", "a\r\nb");

    @ParameterizedTest
    @EnumSource
    void anyKeyIsAParameter(Server server) {
        server.run(app -> {
            Map<String, LockHandle> held = app.hold(Stream.concat(PLAIN.stream(), TRICKY.stream()));
            for (String key : List.copyOf(held.keySet())) {
                HttpResponse<String> state = app.send("GET", "/default?key=" + app.encoded(key));
                assertThat(state.statusCode()).as(key).isEqualTo(200);
                JsonNode locks = app.json.readTree(state.body()).get("locks");
                assertThat(locks.size()).isEqualTo(1);
                assertThat(locks.get(0).get("key").asString()).isEqualTo(key);
                long fencingToken = locks.get(0).get("lock").get("fencingToken").asLong();
                assertThat(fencingToken).as(key).isEqualTo(held.get(key).fencingToken());
                HttpResponse<String> release =
                        app.send("DELETE", "/default?fencingToken=" + fencingToken + "&key=" + app.encoded(key));
                assertThat(release.statusCode()).as(key).isEqualTo(200);
                assertThat(held.remove(key).isHeld()).as(key).isFalse();
                assertThat(held.values()).as(key).allMatch(LockHandle::isHeld);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aPlainKeyIsAPath(Server server) {
        server.run(app -> {
            Map<String, LockHandle> held = app.hold(PLAIN.stream());
            for (String key : PLAIN) {
                String path = "/default/" + app.encoded(key).replace("%2F", "/").replace("+", "%20");
                HttpResponse<String> state = app.send("GET", path);
                assertThat(state.statusCode()).as(key).isEqualTo(200);
                long fencingToken =
                        app.json.readTree(state.body()).path("fencingToken").asLong();
                assertThat(fencingToken).as(key).isEqualTo(held.get(key).fencingToken());
                HttpResponse<String> release = app.send("DELETE", path + "?fencingToken=" + fencingToken);
                assertThat(release.statusCode()).as(key).isEqualTo(200);
                assertThat(held.remove(key).isHeld()).as(key).isFalse();
                assertThat(held.values()).as(key).allMatch(LockHandle::isHeld);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLockThatIsNotHeldIsFree(Server server) {
        server.run(app -> assertThat(app.send("GET", "/default?key=//").body())
                .contains("\"key\":\"//\"", "\"state\":\"free\"", "\"complete\":true"));
    }

    @ParameterizedTest
    @EnumSource
    void withoutAKeyNoLockIsTaken(Server server) {
        server.run(app -> {
            LockHandle held = app.hold(Stream.of("default")).get("default");
            String token = "?fencingToken=" + held.fencingToken();
            assertThat(app.send("DELETE", "/default" + token).statusCode()).isEqualTo(400);
            assertThat(app.send("DELETE", "/default/" + token).statusCode()).isEqualTo(400);
            assertThat(app.send("DELETE", "/default" + token + "&key=").statusCode())
                    .isEqualTo(400);
            assertThat(app.send("DELETE", token).statusCode()).isEqualTo(404);
            assertThat(app.send("GET", "/default?key=").statusCode()).isEqualTo(400);
            assertThat(app.send("GET", "/none?key=a").statusCode()).isEqualTo(404);
            assertThat(app.send("GET", "/none/a").statusCode()).isEqualTo(404);
            assertThat(held.isHeld()).isTrue();
        });
    }

    enum Server {
        MVC(new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(
                        TomcatServletWebServerAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class))),

        WEBFLUX(new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(
                        TomcatReactiveWebServerAutoConfiguration.class,
                        CodecsAutoConfiguration.class,
                        HttpHandlerAutoConfiguration.class,
                        WebFluxAutoConfiguration.class)));

        private final AbstractApplicationContextRunner<?, ?, ?> runner;

        Server(AbstractApplicationContextRunner<?, ?, ?> runner) {
            this.runner = runner;
        }

        void run(Story story) {
            runner.withConfiguration(AutoConfigurations.of(
                            LockAutoConfiguration.class,
                            LocksEndpointAutoConfiguration.class,
                            JacksonAutoConfiguration.class,
                            EndpointAutoConfiguration.class,
                            WebEndpointAutoConfiguration.class,
                            ManagementContextAutoConfiguration.class))
                    .withPropertyValues(
                            "server.port=0",
                            "lock.backend=memory",
                            "lock.force-release.enabled=true",
                            "management.endpoint.locks.show-values=always",
                            "management.endpoints.web.exposure.include=locks")
                    .run(context ->
                            story.run(new App((WebServerApplicationContext) context.getSourceApplicationContext())));
        }
    }

    interface Story {
        void run(App app) throws Exception;
    }

    static final class App {

        private final HttpClient client = HttpClient.newHttpClient();

        private final JsonMapper json = new JsonMapper();

        private final Locker locker;

        private final String root;

        App(WebServerApplicationContext context) {
            this.locker = context.getBean(Locker.class);
            this.root = "http://localhost:" + context.getWebServer().getPort() + "/actuator/locks";
        }

        Map<String, LockHandle> hold(Stream<String> keys) {
            Map<String, LockHandle> held = new LinkedHashMap<>();
            keys.forEach(key -> held.put(key, locker.lock(key)));
            return held;
        }

        String encoded(String key) {
            return URLEncoder.encode(key, StandardCharsets.UTF_8);
        }

        HttpResponse<String> send(String method, String target) throws Exception {
            return client.send(
                    HttpRequest.newBuilder(URI.create(root + target))
                            .method(method, HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
