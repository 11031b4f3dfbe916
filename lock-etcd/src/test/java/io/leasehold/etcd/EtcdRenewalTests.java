package io.leasehold.etcd;

import static io.leasehold.contract.StoreClient.LONG;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.leasehold.contract.Held;
import io.leasehold.contract.StoreClient;
import io.leasehold.servers.etcd.EtcdAdmin;
import io.leasehold.servers.etcd.SharedEtcd;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import io.leasehold.testsupport.RecordedLog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renewals of several locks, of which some are not answered. */
class EtcdRenewalTests {

    private static final int OTHERS = 120;

    private final EtcdAdmin admin = SharedEtcd.admin();

    private final TransactionProxy proxy = new TransactionProxy(SharedEtcd.endpoint());

    private final EtcdLockBackend backend =
            new EtcdLockBackend(EtcdOptions.of(proxy.endpoint()), System::nanoTime, InstantSource.system());

    private final StoreClient store = new StoreClient(backend, "n-" + UUID.randomUUID());

    @BeforeEach
    void empty() {
        admin.wipe();
    }

    @AfterEach
    void close() {
        backend.close();
        proxy.close();
        admin.close();
    }

    @Test
    void aLeaseThatIsNotKeptAliveDelaysTheRenewalOfNoOtherLock() {
        List<RenewCommand> commands = new ArrayList<>();
        List<RenewAnswer> expected = new ArrayList<>(Collections.nCopies(OTHERS, RenewAnswer.RENEWED));
        for (int i = 0; i < OTHERS; i++) {
            commands.add(renewal(store.grant("other-" + i)));
        }
        commands.add(renewal(store.grant("a")));
        expected.add(RenewAnswer.UNKNOWN);
        proxy.ignoreKeepAlives(leaseOfNewestKey());
        await().atMost(30, SECONDS).until(() -> {
            CompletableFuture<List<RenewAnswer>> all = backend.renew(commands).toCompletableFuture();
            // the engine gives up on a whole batch
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            all.cancel(true);
            return all.join().equals(expected);
        });
    }

    /** As after a migration with {@code etcdctl make-mirror}, which copies keys and no leases. */
    @Test
    void aKeyWithoutALeaseIsNamedInTheLog() {
        Held held = store.grant("a");
        KeyValue key = admin.keys().get(0);
        KVGrpc.newBlockingStub(admin.channel())
                .put(PutRequest.newBuilder()
                        .setKey(key.getKey())
                        .setValue(key.getValue())
                        .build());
        try (RecordedLog log = new RecordedLog(EtcdRenewal.class)) {
            assertThat(store.renew(held, LONG)).isEqualTo(RenewAnswer.UNKNOWN);
            await().untilAsserted(() -> assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(
                            "No answer to the renewal of 1 of 1 locks: ",
                            "the key had no lease, or changed, each time it was read"));
        }
    }

    private static RenewCommand renewal(Held held) {
        return new RenewCommand(held.id(), held.token(), LONG);
    }

    private long leaseOfNewestKey() {
        return admin.keys().stream()
                .max(Comparator.comparing(KeyValue::getCreateRevision))
                .orElseThrow()
                .getLease();
    }
}
