package io.leasehold.backend.etcd;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells etcd with each call who asks, and that a member which knows no leader is to say so at once instead of letting the
 * call wait.
 */
final class CallHeaders implements ClientInterceptor {

    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final Supplier<@Nullable String> token;

    CallHeaders(Supplier<@Nullable String> token) {
        this.token = token;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                headers.put(HAS_LEADER, "true");
                String current = token.get();
                if (current != null) {
                    headers.put(TOKEN, current);
                }
                super.start(listener, headers);
            }
        };
    }
}
