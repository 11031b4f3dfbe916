package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** With each profile whose servers the sample starts, two instances share them, and what one has locked the other has not. */
class ProfileTests {

    @ParameterizedTest
    @CsvSource({"redlock, redlock", "cluster, redis"})
    void theLocksAreWhereTheProfileSays(String profile, String backend) throws Exception {
        try (ConfigurableApplicationContext one = start(profile);
                ConfigurableApplicationContext two = start(profile)) {
            try (LockHandle held = locker(one).lock("shop")) {
                assertThat(held.fencingToken()).isPositive();
                assertThat(locker(two).tryLock("shop", Duration.ZERO)).isEmpty();
            }
            locker(two).lock("shop").close();

            assertThat(get(two, "").body()).contains("<html");
            assertThat(get(two, "actuator/health").statusCode()).isEqualTo(200);
            assertThat(get(two, "actuator/prometheus").body())
                    .contains("backend=\"" + backend + "\",locker=\"deploy\"");
        }
    }

    private static ConfigurableApplicationContext start(String profile) {
        return new SpringApplicationBuilder(SampleApplication.class)
                .profiles(profile)
                .run(
                        "--sample.servers.directory=target/profile-servers",
                        "--sample.servers.linger=5s",
                        "--server.port=0",
                        "--lock.safety.level=off");
    }

    private static Locker locker(ConfigurableApplicationContext instance) {
        return instance.getBean("deployLocker", Locker.class);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext instance, String path) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + instance.getEnvironment().getRequiredProperty("local.server.port") + "/" + path);
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
