import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.stub.StreamObserver;
import io.leasehold.etcd.EtcdLockBackend;
import io.leasehold.etcd.EtcdOptions;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** Cycles of taking and freeing a lock of one's own through several clients of etcd, in turns, on a running server. */
public final class EtcdClients {
    interface Cycle {
        void run(String key) throws Exception;
    }

    static final Map<String, Cycle> CLIENTS = new LinkedHashMap<>();

    public static void main(String[] args) throws Exception {
        URI server = URI.create(args[0]);
        int rounds = Integer.parseInt(args[1]), millis = Integer.parseInt(args[2]);
        grpc(server);
        jetcd(server);
        json(server);
        leasehold(server);
        List<String> only = args.length > 3 ? List.of(args[3].split(",")) : List.copyOf(CLIENTS.keySet());
        for (int callers : new int[] {1, 8, 32}) {
            Map<String, List<double[]>> seen = new LinkedHashMap<>();
            for (int round = -1; round < rounds; round++)
                for (String name : only) {
                    double[] figures = run(CLIENTS.get(name), callers, millis);
                    if (round >= 0)
                        seen.computeIfAbsent(name, x -> new ArrayList<>()).add(figures);
                }
            double raw = median(seen.get(only.get(0)), 0);
            seen.forEach((name, all) -> System.out.printf(
                    "%2d callers  %-22s %6.0f/s  %.2f x   p50 %.2f ms  p99 %.2f ms%n",
                    callers, name, median(all, 0), median(all, 0) / raw, median(all, 1), median(all, 2)));
        }
        System.exit(0);
    }

    static double median(List<double[]> all, int i) {
        return all.stream().mapToDouble(f -> f[i]).sorted().toArray()[all.size() / 2];
    }

    static double[] run(Cycle cycle, int callers, int millis) throws Exception {
        long start = System.nanoTime(), end = start + millis * 1_000_000L;
        List<long[]> all = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int id = i;
            Thread thread = new Thread(() -> {
                long[] times = new long[100_000];
                int n = 0;
                try {
                    while (System.nanoTime() < end) {
                        long s = System.nanoTime();
                        cycle.run("k" + id + "-" + n % 50);
                        times[n++] = System.nanoTime() - s;
                    }
                } catch (Exception ex) {
                    ex.printStackTrace();
                }
                all.add(Arrays.copyOf(times, n));
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) thread.join();
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] sorted = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new double[] {
            sorted.length / seconds, sorted[sorted.length / 2] / 1e6, sorted[(int) (sorted.length * .99)] / 1e6
        };
    }

    static void grpc(URI server) {
        var channel = Grpc.newChannelBuilder(server.getAuthority(), InsecureChannelCredentials.create())
                .directExecutor()
                .build();
        var kv = KVGrpc.newStub(channel);
        var lease = LeaseGrpc.newStub(channel);
        CLIENTS.put("stubs: grant+txn+revoke", key -> {
            long id = EtcdClients.<LeaseGrantResponse>call(o -> lease.leaseGrant(
                            LeaseGrantRequest.newBuilder().setTTL(30).build(), o))
                    .getID();
            ByteString k = ByteString.copyFromUtf8("raw/" + key);
            if (!EtcdClients.<TxnResponse>call(o -> kv.txn(
                            TxnRequest.newBuilder()
                                    .addCompare(Compare.newBuilder()
                                            .setKey(k)
                                            .setTarget(Compare.CompareTarget.CREATE)
                                            .setCreateRevision(0))
                                    .addSuccess(RequestOp.newBuilder()
                                            .setRequestPut(PutRequest.newBuilder()
                                                    .setKey(k)
                                                    .setLease(id)))
                                    .build(),
                            o))
                    .getSucceeded()) throw new IllegalStateException();
            EtcdClients.<LeaseRevokeResponse>call(o ->
                    lease.leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build(), o));
        });
    }

    static <T> T call(Consumer<StreamObserver<T>> request) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        request.accept(new StreamObserver<>() {
            public void onNext(T value) {
                answer.complete(value);
            }

            public void onError(Throwable t) {
                answer.completeExceptionally(t);
            }

            public void onCompleted() {}
        });
        return answer.get();
    }

    static void jetcd(URI server) {
        Client client = Client.builder().endpoints(server).build();
        CLIENTS.put("jetcd: grant+txn+revoke", key -> {
            long id = client.getLeaseClient().grant(30).get().getID();
            ByteSequence k = ByteSequence.from("jetcd/" + key, StandardCharsets.UTF_8);
            if (!client.getKVClient()
                    .txn()
                    .If(new Cmp(k, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                    .Then(Op.put(
                            k,
                            ByteSequence.EMPTY,
                            PutOption.builder().withLeaseId(id).build()))
                    .commit()
                    .get()
                    .isSucceeded()) throw new IllegalStateException();
            client.getLeaseClient().revoke(id).get();
        });
        CLIENTS.put("jetcd: Lock, own lease", key -> {
            long id = client.getLeaseClient().grant(30).get().getID();
            ByteSequence k = client.getLockClient()
                    .lock(ByteSequence.from("lock/" + key, StandardCharsets.UTF_8), id)
                    .get()
                    .getKey();
            client.getLockClient().unlock(k).get();
            client.getLeaseClient().revoke(id).get();
        });
    }

    static void json(URI server) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(Runnable::run)
                .build();
        CLIENTS.put("JSON: grant+txn+revoke", key -> {
            String k = Base64.getEncoder().encodeToString(("json/" + key).getBytes(StandardCharsets.UTF_8));
            String grant = post(http, server, "/v3/lease/grant", "{\"TTL\":\"30\"}");
            int from = grant.indexOf("\"ID\":\"") + 6;
            String id = grant.substring(from, grant.indexOf('"', from));
            if (!post(
                            http,
                            server,
                            "/v3/kv/txn",
                            "{\"compare\":[{\"key\":\"" + k + "\",\"target\":\"CREATE\",\"createRevision\":\"0\"}],"
                                    + "\"success\":[{\"requestPut\":{\"key\":\"" + k + "\",\"lease\":\"" + id
                                    + "\"}}]}")
                    .contains("\"succeeded\":true")) throw new IllegalStateException();
            post(http, server, "/v3/lease/revoke", "{\"ID\":\"" + id + "\"}");
        });
    }

    static String post(HttpClient http, URI server, String path, String body) {
        HttpResponse<String> response = http.sendAsync(
                        HttpRequest.newBuilder(server.resolve(path))
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .join();
        if (response.statusCode() != 200) throw new IllegalStateException(response.body());
        return response.body();
    }

    static void leasehold(URI server) {
        EtcdLockBackend backend = new EtcdLockBackend(EtcdOptions.of(server), System::nanoTime);
        CLIENTS.put("EtcdLockBackend", key -> {
            LockId id = LockId.of("bench", key);
            Token token = new Token(
                    ThreadLocalRandom.current().nextLong(),
                    ThreadLocalRandom.current().nextLong());
            if (!(backend.acquire(new AcquireCommand(id, token, Duration.ofSeconds(30), 1, true))
                            .toCompletableFuture()
                            .get()
                    instanceof AcquireAnswer.Granted)) throw new IllegalStateException();
            if (backend.release(new ReleaseCommand(id, token))
                            .toCompletableFuture()
                            .get()
                    != ReleaseAnswer.RELEASED) throw new IllegalStateException();
        });
    }
}
