package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;

/** The stores of lockers with a Redis of their own. Those that say the same of it share one, named after the first. */
final class OwnRedisStores {

    private final ObjectProvider<OwnRedisFactory> factory;

    private final Map<RedisServerProperties, OwnRedis> first = new HashMap<>();

    private final Map<String, OwnRedis> byName = new HashMap<>();

    OwnRedisStores(ObjectProvider<OwnRedisFactory> factory) {
        this.factory = factory;
    }

    synchronized String name(BackendChoice choice, OwnRedis own) {
        String backend = choice.backend();
        if (backend != null && !backend.equals(KnownBackend.REDIS.backend())) {
            throw new LockConfigurationException(
                    own.property(),
                    null,
                    "has no meaning with '" + choice.property() + "' set to '" + backend + "'",
                    "Set '" + own.locker().property("backend") + "' to redis, or take one of the two out.");
        }
        if (factory.getIfAvailable() == null) {
            throw new LockConfigurationException(
                    own.property(),
                    null,
                    "needs a client of Redis",
                    KnownBackend.requirement(KnownBackend.REDIS.backend()).orElseThrow());
        }
        OwnRedis shared = first.computeIfAbsent(own.server(), server -> own);
        byName.put(shared.store(), shared);
        return shared.store();
    }

    synchronized boolean contains(String name) {
        return byName.containsKey(name);
    }

    synchronized LockBackend create(String name) {
        OwnRedis own = byName.get(name);
        if (own == null) {
            throw new IllegalArgumentException("'name' is no Redis of a locker: " + name);
        }
        return factory.getObject().create(own);
    }
}
