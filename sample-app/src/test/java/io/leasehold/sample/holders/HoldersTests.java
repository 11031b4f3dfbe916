package io.leasehold.sample.holders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.sample.SampleApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of one instance shows the locks of the other one, and its button ends them. */
@TestInstance(Lifecycle.PER_CLASS)
class HoldersTests {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final HttpClient http = HttpClient.newHttpClient();

    private ConfigurableApplicationContext one;

    private ConfigurableApplicationContext two;

    @BeforeAll
    void startTwoInstances() {
        one = start("one");
        two = start("two <b>");
    }

    @AfterAll
    void stopThem() {
        one.close();
        two.close();
    }

    @Test
    void eachInstanceSeesWhoHoldsTheLock() throws Exception {
        try (LockHandle lock = locker(two).lock("shop")) {
            await().atMost(LONG)
                    .untilAsserted(
                            () -> assertThat(lock(one, "shop").get("holder").asString(""))
                                    .startsWith("two <b>, thread "));
            JsonNode elsewhere = lock(one, "shop");
            assertThat(elsewhere.get("kind").asString()).isEqualTo("HOLDER");
            assertThat(elsewhere.get("here").asBoolean()).isFalse();
            assertThat(elsewhere.get("since").asString()).startsWith("20").endsWith("Z");
            assertThat(elsewhere.get("remainingMillis").asLong()).isBetween(1L, 6_000L);
            assertThat(Long.parseLong(elsewhere.get("fencingToken").asString()))
                    .isGreaterThanOrEqualTo(lock.fencingToken());
            assertThat(lock(two, "shop").get("here").asBoolean()).isTrue();
        }
        assertThat(lock(one, "shop").isMissingNode()).isTrue();
    }

    @Test
    void aForeignHolderHasNoTokenToEndItBy() throws Exception {
        one.getBean(StringRedisTemplate.class).opsForValue().set("deploy:api", "me", Duration.ofMinutes(1));
        JsonNode foreign = lock(one, "api");
        assertThat(foreign.get("kind").asString()).isEqualTo("FOREIGN");
        assertThat(foreign.get("fencingToken").isNull()).isTrue();
        one.getBean(StringRedisTemplate.class).delete("deploy:api");
    }

    @Test
    void theButtonEndsTheHoldThatItsUserSaw() throws Exception {
        LockHandle lock = locker(two).lock("search");
        String token = lock(one, "search").get("fencingToken").asString();

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(end(one, "deploy", "search", "1"))
                        .hasToString(
                                "{\"done\":false,\"sentence\":\"the fencing token is not that of the present holder;"
                                        + " ask for the state of the lock again\"}"));
        assertThat(lock.isHeld()).isTrue();

        JsonNode done = end(one, "deploy", "search", token);
        assertThat(done.get("done").asBoolean()).isTrue();
        assertThat(done.get("sentence").asString()).contains("can no longer renew the lock");
        assertThat(lock(one, "search").get("kind").asString()).isEqualTo("REVOKED");
        await().atMost(LONG).until(() -> !lock.isHeld());
        try (LockHandle next = locker(one).lock("search")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void whatCannotBeEndedHasASentence() throws Exception {
        await().atMost(LONG)
                .untilAsserted(() -> assertThat(
                                end(one, "deploy", "free", "1").get("sentence").asString())
                        .isEqualTo("no holder has the lock"));
        assertThat(end(one, "none", "free", "1").get("sentence").asString()).contains("none");
        assertThat(end(one, "deploy", " ", "1").get("sentence").asString()).contains("must not be blank");
    }

    /** Any client of the store can write a name. */
    @Test
    void thePageWritesNamesAsTextAndNotAsMarkup() throws IOException {
        assertThat(new ClassPathResource("static/app.js").getContentAsString(StandardCharsets.UTF_8))
                .contains("element.append(...children)")
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write");
    }

    private static ConfigurableApplicationContext start(String name) {
        return new SpringApplicationBuilder(SampleApplication.class)
                .run(
                        "--sample.servers.directory=target/holders-servers",
                        "--sample.servers.linger=5s",
                        "--server.port=0",
                        "--lock.lockers.deploy.ttl=6s",
                        "--lock.lockers.deploy.wait-time=25s",
                        "--lock.instance-name=" + name,
                        "--lock.safety.level=off");
    }

    private static Locker locker(ConfigurableApplicationContext instance) {
        return instance.getBean("deployLocker", Locker.class);
    }

    private static JsonNode lock(ConfigurableApplicationContext instance, String key) throws Exception {
        JsonNode lockers = send(HttpRequest.newBuilder(uri(instance, "holders")));
        return lockers.valueStream()
                .filter(view -> view.get("locker").asString().equals("deploy"))
                .flatMap(view -> view.get("locks").valueStream())
                .filter(lock -> lock.get("key").asString().equals(key))
                .findAny()
                .orElseGet(() -> lockers.path("missing"));
    }

    private static JsonNode end(ConfigurableApplicationContext instance, String locker, String key, String token)
            throws Exception {
        String path = "holders/" + locker + "?key=" + key.replace(" ", "%20") + "&fencingToken=" + token;
        return send(HttpRequest.newBuilder(uri(instance, path)).DELETE());
    }

    private static JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JsonMapper.shared()
                .readTree(http.send(request.build(), BodyHandlers.ofString()).body());
    }

    private static URI uri(ConfigurableApplicationContext instance, String path) {
        return URI.create(
                "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port") + "/" + path);
    }
}
