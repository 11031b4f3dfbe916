package io.leasehold.redis;

import io.leasehold.servers.redis.RedisServer;
import java.util.function.Consumer;

/** Faults of a master. */
enum MasterFault {

    /** Its process ends, and its connections break. */
    KILLED(RedisServer::kill),

    /** Its process is suspended. Connections stay open, and requests are not answered. */
    STOPPED(RedisServer::pause);

    private final Consumer<RedisServer> fault;

    MasterFault(Consumer<RedisServer> fault) {
        this.fault = fault;
    }

    void happenTo(RedisServer master) {
        fault.accept(master);
    }
}
