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
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A release goes on under a renewed lock, and another instance takes over when its holder stops. */
class DeployTests {

    private static final String[] SETTINGS = {
        "--sample.servers.directory=target/deploy-servers",
        "--sample.servers.linger=5s",
        "--server.port=0",
        "--sample.deploy.steps=50",
        "--sample.deploy.step=100ms",
        "--lock.lockers.deploy.ttl=3s",
        "--lock.safety.level=off"
    };

    private ConfigurableApplicationContext one;

    private ConfigurableApplicationContext two;

    @BeforeEach
    void startTwoInstances() {
        one = new SpringApplicationBuilder(SampleApplication.class).run(SETTINGS);
        two = new SpringApplicationBuilder(SampleApplication.class).run(SETTINGS);
    }

    @AfterEach
    void stopThem() {
        one.close();
        two.close();
    }

    @Test
    void theOtherInstanceGoesOnWhenTheHolderStops() throws Exception {
        assertThat(post(one, "deployments?service=shop")).isEqualTo(202);
        await().atMost(Duration.ofSeconds(30)).until(() -> state(one).renewals() > 1);
        assertThat(state(one).turns()).hasSize(1);
        boolean oneWorks = name(one).equals(state(one).turns().get(0).instance());
        ConfigurableApplicationContext holder = oneWorks ? one : two;
        ConfigurableApplicationContext other = oneWorks ? two : one;
        assertThat(get(holder, "actuator/prometheus"))
                .containsPattern("lock_renew_total\\{backend=\"redis\",locker=\"deploy\",outcome=\"success\"} [1-9]");
        String nameOfTheOther = name(other);

        holder.close();
        await().atMost(Duration.ofSeconds(30)).until(() -> state(other).finished());

        List<Turn> turns = state(other).turns();
        assertThat(turns).hasSize(2);
        assertThat(turns.get(1).instance()).isEqualTo(nameOfTheOther);
        assertThat(turns.get(1).fencingToken()).isGreaterThan(turns.get(0).fencingToken());
        assertThat(turns.get(0).steps() + turns.get(1).steps()).isEqualTo(50);
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
