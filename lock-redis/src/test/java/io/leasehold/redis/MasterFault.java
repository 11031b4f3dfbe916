package io.leasehold.redis;

import io.leasehold.servers.redis.RedisServer;
import java.util.function.Consumer;

/** What may happen to a master. */
enum MasterFault {

    /** Its process ends, and its connections break. */
    KILLED(RedisServer::kill),

    /** Its process stands still; connections stay open, and whoever sends something is never answered. */
    STOPPED(RedisServer::pause);

    private final Consumer<RedisServer> fault;

    MasterFault(Consumer<RedisServer> fault) {
        this.fault = fault;
    }

    void happenTo(RedisServer master) {
        fault.accept(master);
    }
}
