package io.leasehold.servers.redis;

import java.util.List;

/** The move of a slot from one master of a cluster to another, step by step as {@code redis-cli} does it. */
public final class SlotMove {

    private final RedisCluster cluster;

    private final String slot;

    private final RedisServer from;

    private final RedisServer to;

    SlotMove(RedisCluster cluster, String key, RedisServer to) {
        this.cluster = cluster;
        this.from = cluster.masterOf(key);
        this.to = to;
        this.slot = String.valueOf(from.command("CLUSTER", "KEYSLOT", key));
        RedisCluster.require(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", RedisCluster.id(from));
        RedisCluster.require(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", RedisCluster.id(to));
    }

    /** Moves up to 100 keys of the slot. Until the end of the move, each of the two nodes has a part of the slot. */
    public void moveKeys() {
        List<?> keys = (List<?>) RedisCluster.require(from, "CLUSTER", "GETKEYSINSLOT", slot, "100");
        keys.forEach(key -> moveKey(String.valueOf(key)));
    }

    /** Moves one key of the slot. */
    public void moveKey(String key) {
        RedisCluster.require(from, "MIGRATE", to.host(), Integer.toString(to.port()), key, "0", "5000");
    }

    /** Moves up to 100 remaining keys and assigns the slot to its new master. */
    public void end() {
        moveKeys();
        for (RedisServer master : List.of(to, from)) {
            RedisCluster.require(master, "CLUSTER", "SETSLOT", slot, "NODE", RedisCluster.id(to));
        }
        cluster.masters().stream()
                .filter(master -> master != to && master != from)
                .forEach(master ->
                        RedisCluster.require(master, "CLUSTER", "SETSLOT", slot, "NODE", RedisCluster.id(to)));
    }
}
