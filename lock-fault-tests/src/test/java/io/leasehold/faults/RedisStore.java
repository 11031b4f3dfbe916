package io.leasehold.faults;

import io.leasehold.servers.redis.RedisServer;
import io.leasehold.spi.LockId;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A single Redis that writes every change to disk. */
abstract class RedisStore extends BreakableStore {

    private final RedisServer server = RedisServer.startDurable();

    @Override
    final List<Integer> ports() {
        return List.of(server.port());
    }

    @Override
    final Set<ServerFault> serverFaults() {
        return EnumSet.allOf(ServerFault.class);
    }

    @Override
    final Optional<String> keptFor(LockId id) {
        return KeptLock.tokenIn(server, id);
    }

    @Override
    final void strike(ServerFault fault, List<Integer> nodes) {
        if (fault.pauses()) {
            server.pause();
        } else {
            server.kill();
        }
    }

    @Override
    final void heal(ServerFault fault, List<Integer> nodes) {
        switch (fault) {
            case PAUSE, STALL -> server.resume();
            case KILL, RESTART -> server.restart();
            case KILL_AND_FORGET -> server.restartEmpty();
        }
    }

    @Override
    public void close() {
        server.resume();
        server.close();
    }
}
