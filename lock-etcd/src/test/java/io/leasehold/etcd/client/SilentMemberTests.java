package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A member that receives calls and answers none, and callers that give up sooner than one call is suspicious. */
class SilentMemberTests {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final AtomicLong clock = new AtomicLong();

    private final Member first = new Member();

    private final Member second = new Member();

    private final EtcdClient client =
            new EtcdClient(List.of(first.endpoint(), second.endpoint()), null, null, null, clock::get);

    SilentMemberTests() throws IOException {}

    @AfterEach
    void close() {
        client.close();
        first.server.shutdownNow();
        second.server.shutdownNow();
    }

    @Test
    void theNextMemberIsUsedAfterAFewCalls() {
        first.answers = false;
        for (int i = 0; i < 3; i++) {
            giveUpAfter(Duration.ofMillis(100));
        }
        assertThat(client.call(null, KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance()))
                .succeedsWithin(WAIT);
        assertThat(second.calls).hasValue(1);
    }

    @Test
    void aMemberThatAnswersOtherCallsIsKept() {
        for (int i = 0; i < 5; i++) {
            first.answers = false;
            giveUpAfter(Duration.ofMillis(100));
            first.answers = true;
            assertThat(client.call(null, KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance()))
                    .succeedsWithin(WAIT);
        }
        assertThat(second.calls).hasValue(0);
    }

    private void giveUpAfter(Duration time) {
        int before = first.calls.get();
        AtomicReference<CompletableFuture<TxnResponse>> sent = new AtomicReference<>();
        CompletableFuture<TxnResponse> call = CancellationScope.run(
                scope -> {
                    sent.set(client.call(scope, KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance()));
                    return sent.get();
                },
                unwanted -> {});
        await().atMost(WAIT).until(() -> first.calls.get() > before);
        clock.addAndGet(time.toNanos());
        call.cancel(true);
        await().atMost(WAIT).until(() -> sent.get().isDone());
    }

    private static final class Member {

        private final AtomicInteger calls = new AtomicInteger();

        private volatile boolean answers = true;

        private final Server server;

        Member() throws IOException {
            server = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                    .addService(ServerServiceDefinition.builder(KVGrpc.SERVICE_NAME)
                            .addMethod(KVGrpc.getTxnMethod(), ServerCalls.asyncUnaryCall((request, answer) -> {
                                boolean answered = answers;
                                calls.incrementAndGet();
                                if (answered) {
                                    answer.onNext(TxnResponse.getDefaultInstance());
                                    answer.onCompleted();
                                }
                            }))
                            .build())
                    .build()
                    .start();
        }

        URI endpoint() {
            return URI.create("http://127.0.0.1:" + server.getPort());
        }
    }
}
