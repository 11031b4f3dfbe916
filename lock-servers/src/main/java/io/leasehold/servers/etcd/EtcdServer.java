package io.leasehold.servers.etcd;

import io.leasehold.servers.FreePort;
import io.leasehold.servers.ServerProcess;
import io.leasehold.servers.TemporaryDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A real etcd on free ports of the loopback interface, with a directory of its own: one member of an
 * {@link EtcdCluster}. It stops when the cluster is closed, and otherwise when this JVM exits.
 */
public final class EtcdServer implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private final TemporaryDirectory directory = new TemporaryDirectory("etcd-");

    private final int clientPort = FreePort.find();

    private final int peerPort = FreePort.find();

    private final int healthPort = FreePort.find();

    private final String name;

    private final boolean tls;

    private List<String> command = List.of();

    private ServerProcess process;

    EtcdServer(String name, boolean tls) {
        this.name = name;
        this.tls = tls;
    }

    /** The address for clients. */
    public URI endpoint() {
        return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + clientPort);
    }

    /** The address of this member for the other members. */
    String peer() {
        return name + "=http://127.0.0.1:" + peerPort;
    }

    /** The port for clients, for a proxy in front of this member. */
    public int port() {
        return clientPort;
    }

    void launch(String cluster, List<String> settings) {
        String peerUrl = "http://127.0.0.1:" + peerPort;
        List<String> arguments = new ArrayList<>(List.of(
                EtcdBinary.path().toString(),
                "--name=" + name,
                "--data-dir=" + directory.path().resolve("data"),
                "--listen-client-urls=" + endpoint(),
                "--advertise-client-urls=" + endpoint(),
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=" + cluster,
                "--listen-metrics-urls=http://127.0.0.1:" + healthPort,
                "--logger=zap",
                "--log-level=warn"));
        arguments.addAll(settings);
        command = List.copyOf(arguments);
        start();
    }

    /** Kills the server immediately (SIGKILL). */
    public void kill() {
        process.kill();
    }

    /** Suspends the server (SIGSTOP). Connections stay open, and the server does not answer. */
    public void pause() {
        process.pause();
    }

    /** Resumes a suspended server (SIGCONT). */
    public void resume() {
        process.resume();
    }

    /** Restarts a server that was killed, with its data. Returns when the server answers. */
    public void restart() {
        start();
        awaitHealthy();
    }

    /** Waits until the server answers and its cluster has a leader. */
    void awaitHealthy() {
        if (!process.awaitReady(this::isHealthy)) {
            throw new IllegalStateException("etcd ended immediately:\n" + process.output());
        }
    }

    boolean couldNotBind() {
        return process.output().contains("address already in use");
    }

    @Override
    public void close() {
        process.close();
        directory.delete();
    }

    private void start() {
        process = ServerProcess.start(directory.path(), directory.path().resolve("etcd.log"), command);
    }

    private boolean isHealthy() {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + healthPort + "/health"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains("\"health\":\"true\"");
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
