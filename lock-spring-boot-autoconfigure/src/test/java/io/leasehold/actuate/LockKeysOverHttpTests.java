package io.leasehold.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.LocksEndpointAutoConfiguration;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
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
import org.springframework.boot.convert.ApplicationConversionService;
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
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Keys through the endpoint, on real servers. The locks of all keys are held, so that a wrong one is noticed. */
class LockKeysOverHttpTests {

    private static final List<String> PLAIN = List.of("shop", "a/b", "b", "a", "a b", "ä€\uD83D\uDE00", "default/a");

    private static final List<String> TRICKY = List.of(
            "a//b", "/a", "a/", "//", "/", "a%2Fb", "%2F", "a%252Fb", "%", "../b", "a/../b", "a/./b", ".", "..",
            "a;x=1", "a;x=1/b", ";", "a,b", "a?b=c&d", "a&key=b", "a#b", "a+b", "{a}", "*", "a\\b", "a\"b", "a\r\nb");

    /** The header with the user of a request. */
    private static final String USER = "X-User";

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

    @ParameterizedTest
    @EnumSource
    void withReadOnlyAccessNoLockIsTaken(Server server) {
        server.run(
                app -> {
                    LockHandle held = app.hold(Stream.of("a")).get("a");
                    String token = "fencingToken=" + held.fencingToken();
                    assertThat(app.send("DELETE", "/default?key=a&" + token).statusCode())
                            .isEqualTo(405);
                    assertThat(app.send("DELETE", "/default/a?" + token).statusCode())
                            .isEqualTo(405);
                    assertThat(app.send("GET", "/default/a").body()).contains("\"state\":\"holder\"");
                    held.renew();
                    assertThat(held.isHeld()).isTrue();
                },
                "management.endpoint.locks.access=read-only");
    }

    @ParameterizedTest
    @EnumSource
    void anAuthorizedUserSeesKeysAndHolders(Server server) {
        server.run(
                app -> {
                    app.hold(Stream.of("a"));
                    for (String user : List.of("", "alice")) {
                        assertThat(app.sees(user)).as(user).isEqualTo(!user.isEmpty());
                    }
                },
                "management.endpoint.locks.show-values=when-authorized");
    }

    @ParameterizedTest
    @EnumSource
    void aUserWithoutTheRoleSeesNoKeys(Server server) {
        server.run(
                app -> {
                    app.hold(Stream.of("a"));
                    for (String user : List.of("", "alice", "operator")) {
                        assertThat(app.sees(user)).as(user).isEqualTo(user.equals("operator"));
                    }
                },
                "management.endpoint.locks.show-values=when-authorized",
                "management.endpoint.locks.roles=operator");
    }

    enum Server {
        MVC(new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(
                        TomcatServletWebServerAutoConfiguration.class,
                        DispatcherServletAutoConfiguration.class,
                        WebMvcAutoConfiguration.class))
                .withBean(Filter.class, () -> Server::withUserOfServlets)),

        WEBFLUX(new ReactiveWebApplicationContextRunner(AnnotationConfigReactiveWebServerApplicationContext::new)
                .withConfiguration(AutoConfigurations.of(
                        TomcatReactiveWebServerAutoConfiguration.class,
                        CodecsAutoConfiguration.class,
                        HttpHandlerAutoConfiguration.class,
                        WebFluxAutoConfiguration.class))
                .withBean(WebFilter.class, () -> Server::withUserOfWebFlux));

        private final AbstractApplicationContextRunner<?, ?, ?> runner;

        Server(AbstractApplicationContextRunner<?, ?, ?> runner) {
            this.runner = runner;
        }

        /** Authenticates the user that the request names, whose only role has the name of the user. */
        private static void withUserOfServlets(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            String user = ((HttpServletRequest) request).getHeader(USER);
            chain.doFilter(user == null ? request : new UserRequest((HttpServletRequest) request, user), response);
        }

        /** Authenticates the user as Spring Security does, where Spring Boot looks for it in WebFlux applications. */
        private static Mono<Void> withUserOfWebFlux(ServerWebExchange exchange, WebFilterChain chain) {
            String user = exchange.getRequest().getHeaders().getFirst(USER);
            return user == null
                    ? chain.filter(exchange)
                    : chain.filter(exchange)
                            .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                                    UsernamePasswordAuthenticationToken.authenticated(
                                            user, "", AuthorityUtils.createAuthorityList("ROLE_" + user))));
        }

        void run(Story story, String... properties) {
            // converts names of constants as SpringApplication does
            runner.withInitializer(context ->
                            context.getEnvironment().setConversionService(new ApplicationConversionService()))
                    .withConfiguration(AutoConfigurations.of(
                            LockAutoConfiguration.class,
                            LocksEndpointAutoConfiguration.class,
                            JacksonAutoConfiguration.class,
                            EndpointAutoConfiguration.class,
                            WebEndpointAutoConfiguration.class,
                            ManagementContextAutoConfiguration.class))
                    .withPropertyValues(
                            "server.port=0",
                            "lock.backend=memory",
                            "lock.instance-name=orders-1",
                            "lock.force-release.enabled=true",
                            "management.endpoint.locks.show-values=always",
                            "management.endpoints.web.exposure.include=locks")
                    .withPropertyValues(properties)
                    .run(context ->
                            story.run(new App((WebServerApplicationContext) context.getSourceApplicationContext())));
        }
    }

    private static final class UserRequest extends HttpServletRequestWrapper {

        private final String user;

        UserRequest(HttpServletRequest request, String user) {
            super(request);
            this.user = user;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> user;
        }

        @Override
        public boolean isUserInRole(String role) {
            return user.equals(role);
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
            return send(method, target, "");
        }

        HttpResponse<String> send(String method, String target, String user) throws Exception {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(root + target)).method(method, BodyPublishers.noBody());
            if (!user.isEmpty()) {
                request.header(USER, user);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }

        /** Whether a user sees the held lock's key and holder. All answers of the endpoint show or mask them. */
        boolean sees(String user) throws Exception {
            JsonNode listed = json.readTree(send("GET", "/default", user).body());
            JsonNode lock = listed.get("locks").get(0);
            JsonNode state = json.readTree(send("GET", "/default/a", user).body());
            JsonNode lockers = json.readTree(send("GET", "", user).body());
            List<Boolean> shown = List.of(
                    lock.get("key").asString().equals("a"),
                    lock.get("lock").get("holder").asString().startsWith("orders-1, thread "),
                    state.get("holder").asString().startsWith("orders-1, thread "),
                    lockers.toString().contains("\"a\""));
            assertThat(shown).as("keys and holders for user '%s'", user).containsOnly(shown.get(0));
            return shown.get(0);
        }
    }
}
