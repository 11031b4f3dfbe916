package io.leasehold.redis;

import io.leasehold.spi.SafetyFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Compares the replicas that have to confirm a lock with those that there are. */
final class ReplicaFindings {

    private ReplicaFindings() {}

    static List<SafetyFinding> of(Properties master, int least) {
        List<SafetyFinding> findings = new ArrayList<>();
        int connected = Integer.parseInt(master.getProperty("connected_slaves", "0"));
        if (connected < least) {
            findings.add(new SafetyFinding(
                    "min-replicas",
                    "is " + least + ", and " + connected
                            + " replicas are connected, so no lock is granted, and those that"
                            + " are held are lost when their ttl is over",
                    "See why the replicas are away, or lower 'lock.redis.min-replicas'"));
        }
        if (least == 0 && connected > 0) {
            findings.add(new SafetyFinding(
                    "min-replicas",
                    "is 0, so a fail-over may forget locks that are held, although there are " + connected
                            + " replicas",
                    "Set 'lock.redis.min-replicas' to 1 or more"));
        }
        return findings;
    }
}
