package io.leasehold.sample.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.sample.SampleApplication;
import io.leasehold.sample.deploy.DeploymentState.Turn;
import io.leasehold.sample.instances.ThisInstance;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A release goes on under a renewed lock, and another instance takes over when its holder stops. */
class DeployTests {

    private static final int STEPS = 600;

    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    @AfterEach
    void stopThem() {
        instances.forEach(ConfigurableApplicationContext::close);
    }

    /** The holder would need a minute for all steps, so that it is stopped in between on a busy machine as well. */
    @Test
    void theOtherInstanceGoesOnWhenTheHolderStops() throws Exception {
        ConfigurableApplicationContext holder = start(Duration.ofMillis(100));
        assertThat(post(holder, "deployments?service=shop")).isEqualTo(202);
        ConfigurableApplicationContext other = start(Duration.ofMillis(1));
        await().atMost(Duration.ofSeconds(30)).until(() -> state(holder).renewals() > 0);
        assertThat(state(holder).turns()).extracting(Turn::instance).containsExactly(name(holder));
        assertThat(get(holder, "actuator/prometheus"))
                .containsPattern("lock_renew_total\\{backend=\"redis\",locker=\"deploy\",outcome=\"success\"} [1-9]");
        String nameOfTheOther = name(other);

        holder.close();
        await().atMost(Duration.ofSeconds(60)).until(() -> state(other).finished());

        List<Turn> turns = state(other).turns();
        assertThat(turns).hasSize(2);
        assertThat(turns.get(1).instance()).isEqualTo(nameOfTheOther);
        assertThat(turns.get(1).fencingToken()).isGreaterThan(turns.get(0).fencingToken());
        assertThat(turns.get(0).steps() + turns.get(1).steps()).isEqualTo(STEPS);
    }

    private ConfigurableApplicationContext start(Duration step) {
        ConfigurableApplicationContext instance = new SpringApplicationBuilder(SampleApplication.class)
                .run(
                        "--sample.servers.directory=target/deploy-servers",
                        "--sample.servers.linger=5s",
                        "--server.port=0",
                        "--sample.deploy.steps=" + STEPS,
                        "--sample.deploy.step=" + step.toMillis() + "ms",
                        "--lock.lockers.deploy.ttl=9s",
                        "--lock.safety.level=off");
        instances.add(instance);
        return instance;
    }

    private static DeploymentState state(ConfigurableApplicationContext instance) {
        return instance.getBean(Deployments.class).latest().get(0);
    }

    private static String name(ConfigurableApplicationContext instance) {
        return instance.getBean(ThisInstance.class).name();
    }

    private static int post(ConfigurableApplicationContext instance, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(instance, path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    private static String get(ConfigurableApplicationContext instance, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(instance, path)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static URI uri(ConfigurableApplicationContext instance, String path) {
        return URI.create(instance.getBean(ThisInstance.class).get().url() + path);
    }
}
