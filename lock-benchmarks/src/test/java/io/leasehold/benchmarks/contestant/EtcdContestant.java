package io.leasehold.benchmarks.contestant;

import io.leasehold.engine.LockerSettings;
import io.leasehold.etcd.EtcdLockBackend;
import io.leasehold.etcd.EtcdOptions;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** Contestants that lock in etcd, each over one connection. */
public enum EtcdContestant implements Contestant {
    LEASEHOLD("Leasehold", Role.OURS, EtcdContestant::leasehold),
    LEASEHOLD_STARTER("Leasehold, starter", Role.OURS, EtcdContestant::starter),
    RAW("raw grant, transaction, revoke", Role.RAW, RawEtcdClient::new),
    JETCD("jetcd's Lock, own lease", Role.PEER, JetcdLocks::new);

    private final String label;

    private final Role role;

    private final Opener opener;

    EtcdContestant(String label, Role role, Opener opener) {
        this.label = label;
        this.role = role;
        this.opener = opener;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public Role role() {
        return role;
    }

    @Override
    public LockClient open(String store, Duration ttl) {
        return opener.open(URI.create(store), ttl);
    }

    private static LockClient leasehold(URI server, Duration ttl) {
        return new LeaseholdClient(
                new EtcdLockBackend(EtcdOptions.of(server), System::nanoTime, InstantSource.system()),
                ttl,
                LockerSettings.DEFAULT_MAX_LOCAL_HANDOFFS);
    }

    private static LockClient starter(URI server, Duration ttl) {
        return StarterClient.start(ttl, "lock.backend=etcd", "lock.etcd.endpoints=" + server);
    }

    private interface Opener {

        LockClient open(URI server, Duration ttl);
    }
}
