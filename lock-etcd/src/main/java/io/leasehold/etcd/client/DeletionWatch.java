package io.leasehold.etcd.client;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Waits for the deletion of one key.
 *
 * <p>The future never fails. It completes with the deletion, and with every event after which a deletion would not be
 * reported: the start revision is compacted, the member has lost its leader, or the connection is lost. The waiter then
 * reads the queue again and, if necessary, opens a new watch. A watch that fails before etcd has confirmed it completes
 * after a short delay, because an immediate retry would loop. A watch that etcd refused does not complete. Cancelling
 * the future ends the watch.
 */
public final class DeletionWatch implements ClientResponseObserver<WatchRequest, WatchResponse> {

    private static final long PAUSE_MILLIS = 100;

    private final CompletableFuture<Void> deleted = new CompletableFuture<>();

    private volatile boolean confirmed;

    private volatile boolean refused;

    private volatile boolean ended;

    private DeletionWatch() {}

    public static CompletableFuture<?> open(Channel channel, ByteString key, long after) {
        DeletionWatch watch = new DeletionWatch();
        WatchGrpc.newStub(channel)
                .watch(watch)
                .onNext(WatchRequest.newBuilder()
                        .setCreateRequest(WatchCreateRequest.newBuilder()
                                .setKey(key)
                                // From the revision after the read, so that a deletion between the read and the watch
                                // is delivered.
                                .setStartRevision(after + 1)
                                .addFilters(WatchCreateRequest.FilterType.NOPUT))
                        .build());
        return watch.deleted;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
        deleted.whenComplete((nothing, failure) -> {
            // a call that has ended is not cancelled: its request, which may not have been sent yet, would then throw
            if (!ended) {
                requests.cancel("no waiter watches any more", null);
            }
        });
    }

    @Override
    public void onNext(WatchResponse response) {
        refused |= response.getCreated() && response.getCanceled() && response.getCompactRevision() == 0;
        confirmed |= response.getCreated() && !refused;
        if (response.getEventsCount() > 0 || response.getCanceled() && !refused) {
            deleted.complete(null);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    @Override
    public void onCompleted() {
        end();
    }

    private void end() {
        ended = true;
        if (confirmed) {
            deleted.complete(null);
        } else if (!refused) {
            deleted.completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
