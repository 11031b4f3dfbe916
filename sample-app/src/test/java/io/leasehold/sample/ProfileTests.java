package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.Locker;
import io.leasehold.servers.database.MariaDbServer;
import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** With each profile, two instances share its servers, and what one has locked the other has not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ProfileTests {

    @ParameterizedTest
    @CsvSource({"redlock, redlock", "cluster, redis"})
    void theSampleStartsTheServers(String profile, String backend) throws Exception {
        assertThatTwoShareLocks(profile, backend);
    }

    @Test
    void postgresIsGiven() throws Exception {
        assertThatTwoShareLocks(
                "postgres", "jdbc", "--POSTGRES_URL=" + PostgresServer.shared().url());
    }

    @Test
    void mariaDbIsGiven() throws Exception {
        assertThatTwoShareLocks(
                "mariadb", "jdbc", "--MARIADB_URL=" + MariaDbServer.shared().url());
    }

    @Test
    void etcdIsGiven() throws Exception {
        assertThatTwoShareLocks("etcd", "etcd", "--ETCD_ENDPOINTS=" + SharedEtcd.endpoint());
    }

    private static void assertThatTwoShareLocks(String profile, String backend, String... arguments) throws Exception {
        try (ConfigurableApplicationContext one = start(profile, arguments);
                ConfigurableApplicationContext two = start(profile, arguments)) {
            try (LockHandle held = locker(one).lock("shop")) {
                assertThat(held.fencingToken()).isPositive();
                assertThat(locker(two).tryLock("shop", Duration.ZERO)).isEmpty();
                assertThat(get(one, "holders").body()).contains("\"key\":\"shop\"", "\"here\":true");
            }
            locker(two).lock("shop").close();

            assertThat(get(two, "").body()).contains("<html");
            assertThat(get(two, "actuator/health").statusCode()).isEqualTo(200);
            assertThat(get(two, "actuator/prometheus").body())
                    .contains("backend=\"" + backend + "\",locker=\"deploy\"");
        }
    }

    private static ConfigurableApplicationContext start(String profile, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--sample.servers.directory=target/profile-servers");
        all.add("--sample.servers.linger=5s");
        all.add("--server.port=0");
        all.add("--lock.safety.level=off");
        return new SpringApplicationBuilder(SampleApplication.class)
                .profiles(profile)
                .run(all.toArray(String[]::new));
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
