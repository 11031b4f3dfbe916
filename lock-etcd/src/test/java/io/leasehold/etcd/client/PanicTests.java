package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel that gRPC has given up after an unexpected error: it fails each call, and never connects again. */
class PanicTests {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final Server server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(ServerServiceDefinition.builder(KVGrpc.SERVICE_NAME)
                    .addMethod(KVGrpc.getTxnMethod(), ServerCalls.asyncUnaryCall((request, answer) -> {
                        answer.onNext(TxnResponse.getDefaultInstance());
                        answer.onCompleted();
                    }))
                    .build())
            .build()
            .start();

    PanicTests() throws IOException {}

    @AfterEach
    void close() {
        server.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theMembersAreUsedAgain(int members) throws ReflectiveOperationException {
        List<URI> endpoints = Stream.of("127.0.0.1", "localhost")
                .limit(members)
                .map(host -> URI.create("http://" + host + ":" + server.getPort()))
                .toList();
        try (EtcdClient client = new EtcdClient(endpoints, null, null, null, System::nanoTime)) {
            assertThat(call(client)).succeedsWithin(WAIT);
            for (EtcdMember member : client.members().all()) {
                panic(member.channel());
            }
            for (int i = 0; i < members; i++) {
                assertThat(call(client)).failsWithin(WAIT);
            }
            assertThat(call(client)).succeedsWithin(WAIT);
        }
    }

    private static CompletableFuture<TxnResponse> call(EtcdClient client) {
        return client.call(null, KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance());
    }

    /** As if no thread could be created while the channel connects. */
    private static void panic(ManagedChannel channel) throws ReflectiveOperationException {
        Field delegate = channel.getClass().getSuperclass().getDeclaredField("delegate");
        delegate.setAccessible(true);
        Object inside = delegate.get(channel);
        Field steps = inside.getClass().getDeclaredField("syncContext");
        steps.setAccessible(true);
        ((SynchronizationContext) steps.get(inside)).execute(() -> {
            throw new InternalError("no thread could be created");
        });
    }
}
