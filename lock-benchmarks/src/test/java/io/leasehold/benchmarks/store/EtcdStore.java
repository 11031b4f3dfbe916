package io.leasehold.benchmarks.store;

import io.leasehold.servers.etcd.EtcdCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An etcd of this run with one member, which writes to disk. Its work is not counted. */
public final class EtcdStore implements Store {

    private static final Pattern VERSION = Pattern.compile("\"etcdserver\"\\s*:\\s*\"([^\"]+)\"");

    private final EtcdCluster cluster = EtcdCluster.start(1);

    @Override
    public String address() {
        return cluster.endpoints()[0].toString();
    }

    @Override
    public StoreWork work() {
        return new StoreWork(Double.NaN, Double.NaN, Double.NaN);
    }

    @Override
    public String version() {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address() + "/version")).build();
        try {
            Matcher version = VERSION.matcher(HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body());
            return version.find() ? "etcd " + version.group(1) : "etcd";
        } catch (IOException ex) {
            throw new IllegalStateException("no answer from " + request.uri(), ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + request.uri(), ex);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
