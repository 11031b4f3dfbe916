package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sample as the build has processed it ahead of time, in a JVM of its own; its three stories work. */
@Timeout(900)
class AheadOfTimeTests {

    private static final Duration LONG = Duration.ofMinutes(4);

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void theStoriesWorkOnTheSamplesOwnRedis(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("sample.log");
        Process sample = new ProcessBuilder(command(directory))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().atMost(LONG).until(() -> !sample.isAlive() || port(log) > 0);
            assertThat(sample.isAlive()).as(Files.readString(log)).isTrue();
            assertThat(Files.readString(log)).contains("Starting AOT-processed SampleApplication");
            URI sampleUri = URI.create("http://127.0.0.1:" + port(log) + "/");

            post(sampleUri.resolve("billing/months"));
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(get(sampleUri.resolve("billing")))
                            .containsPattern("\"charged\":[1-9]")
                            .contains("\"chargedTwice\":0"));

            assertThat(post(sampleUri.resolve("stock/rushes?items=3&buyers=6")))
                    .contains("\"sold\":3")
                    .contains("\"oversold\":0");

            post(sampleUri.resolve("deployments?service=shop"));
            await().atMost(LONG)
                    .untilAsserted(() ->
                            assertThat(get(sampleUri.resolve("deployments"))).contains("\"finished\":true"));
            assertThat(get(sampleUri.resolve("actuator/locks"))).contains("\"backend\":\"redis\"");
        } finally {
            sample.destroy();
            assertThat(sample.waitFor()).isNotNegative();
        }
    }

    private static List<String> command(Path directory) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dspring.aot.enabled=true",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                SampleApplication.class.getName(),
                "--sample.servers.directory=" + directory.resolve("servers"),
                "--sample.servers.linger=1s",
                "--sample.deploy.steps=2",
                "--sample.deploy.step=10ms",
                "--sample.billing.payment=10ms",
                "--lock.safety.level=off",
                "--logging.level.org.springframework.boot=info");
    }

    private static int port(Path log) throws IOException {
        Matcher started = PORT.matcher(Files.readString(log));
        return started.find() ? Integer.parseInt(started.group(1)) : 0;
    }

    private String get(URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    private String post(URI uri) throws IOException, InterruptedException {
        var response = client.send(
                HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return response.body();
    }
}
