package io.leasehold.etcd.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.leasehold.spi.BackendFailure;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A proxy that ends a call successfully and without an answer. */
class MissingAnswerTests {

    @Test
    void theOutcomeIsUnknown() throws IOException {
        Server proxy = Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                .addService(ServerServiceDefinition.builder(KVGrpc.SERVICE_NAME)
                        .addMethod(withoutCheck(), (call, headers) -> {
                            call.close(Status.OK, new Metadata());
                            return new ServerCall.Listener<>() {};
                        })
                        .build())
                .build()
                .start();
        URI endpoint = URI.create("http://127.0.0.1:" + proxy.getPort());
        try (EtcdClient client = new EtcdClient(List.of(endpoint), null, null, null, System::nanoTime)) {
            CompletableFuture<TxnResponse> answer =
                    client.call(null, KVGrpc.getTxnMethod(), TxnRequest.getDefaultInstance());
            assertThat(answer)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("without an answer");
            assertThat(answer.handle((done, failure) -> EtcdErrors.unwrap(failure))
                            .join())
                    .isInstanceOfSatisfying(
                            BackendFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(BackendFailure.Effect.UNKNOWN));
        } finally {
            proxy.shutdownNow();
        }
    }

    /** The method as a stream, whose server need not send a message. */
    private static MethodDescriptor<TxnRequest, TxnResponse> withoutCheck() {
        return KVGrpc.getTxnMethod().toBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .build();
    }
}
