package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.servers.database.PostgresServer;
import io.leasehold.servers.etcd.SharedEtcd;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * The sample processed ahead of time, in a JVM of its own; its three stories work. The build has processed it for
 * Redis. For other stores the test processes it as the build would with their profile, because the store is chosen
 * then.
 */
@Timeout(900)
class AheadOfTimeTests {

    /** Of a JVM that was ended by a signal, after its shutdown. */
    private static final int TERMINATED = 143;

    private static final Duration LONG = Duration.ofMinutes(4);

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void theStoriesWorkOnTheSamplesOwnRedis(@TempDir Path directory) throws Exception {
        theStoriesWork(directory, List.of(), "redis");
    }

    @Test
    void theStoriesWorkOnPostgres(@TempDir Path directory) throws Exception {
        String[] arguments = {
            "--spring.profiles.active=postgres",
            "--POSTGRES_URL=" + PostgresServer.shared().url()
        };
        theStoriesWork(directory, process(directory, arguments), "jdbc", arguments);
    }

    @Test
    void theStoriesWorkOnEtcd(@TempDir Path directory) throws Exception {
        String[] arguments = {"--spring.profiles.active=etcd", "--ETCD_ENDPOINTS=" + SharedEtcd.endpoint()};
        theStoriesWork(directory, process(directory, arguments), "etcd", arguments);
    }

    private void theStoriesWork(Path directory, List<Path> processed, String backend, String... arguments)
            throws Exception {
        Path log = directory.resolve("sample.log");
        Process sample = new ProcessBuilder(command(directory, processed, arguments))
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
            assertThat(get(sampleUri.resolve("actuator/locks"))).contains("\"backend\":\"" + backend + "\"");
        } finally {
            sample.destroy();
            sample.waitFor();
        }
        assertThat(sample.exitValue()).as(Files.readString(log)).isIn(0, TERMINATED);
    }

    private static List<String> command(Path directory, List<Path> processed, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dspring.aot.enabled=true",
                "-cp",
                classPath(processed),
                SampleApplication.class.getName(),
                "--sample.servers.directory=" + directory.resolve("servers"),
                "--sample.servers.linger=1s",
                "--sample.deploy.steps=2",
                "--sample.deploy.step=10ms",
                "--sample.billing.payment=10ms",
                "--lock.safety.level=off",
                "--logging.level.org.springframework.boot=info"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Does what the goal process-aot does; its result comes first on the class path. */
    private static List<Path> process(Path directory, String... arguments) throws Exception {
        Path sources = directory.resolve("aot/sources");
        Path resources = directory.resolve("aot/resources");
        Path classes = directory.resolve("aot/classes");
        Path log = directory.resolve("aot.log");
        List<String> command = new ArrayList<>(List.of(
                JAVA,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(List.of()),
                SpringApplicationAotProcessor.class.getName(),
                SampleApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "io.leasehold",
                "sample-app"));
        command.addAll(List.of(arguments));
        Process processor = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(processor.waitFor()).as(Files.readString(log)).isZero();
        try (Stream<Path> files = Files.walk(sources)) {
            List<String> options = new ArrayList<>(
                    List.of("-nowarn", "-proc:none", "-cp", classPath(List.of(classes)), "-d", classes.toString()));
            files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(options::add);
            assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)))
                    .isZero();
        }
        return List.of(classes, resources);
    }

    private static String classPath(List<Path> first) {
        return Stream.concat(
                        first.stream().map(Path::toString),
                        Stream.of(
                                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))))
                .collect(Collectors.joining(File.pathSeparator));
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
