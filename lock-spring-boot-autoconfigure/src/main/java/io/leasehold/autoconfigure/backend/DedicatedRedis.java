package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.RedisServerProperties;
import io.leasehold.spi.LockBackend;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The Redis of a single locker, which differs from that of the other lockers.
 *
 * @param server the settings of this Redis
 */
public record DedicatedRedis(LockerName locker, RedisServerProperties server) {

    /** The name of the store, in meters, the health check and the log. */
    public String store() {
        return locker.value() + ".redis";
    }

    /** The prefix of the properties that configure it. */
    public String property() {
        return locker.property("redis");
    }

    /** Creates the stores of lockers with a Redis of their own. Available if a Redis client is on the class path. */
    @FunctionalInterface
    public interface Factory {

        /**
         * Creates the store. Does not wait for Redis.
         *
         * @throws LockConfigurationException if its settings are invalid
         */
        LockBackend create(DedicatedRedis own);
    }

    /**
     * The stores of lockers with a Redis of their own. Lockers with equal settings share one, named after the first.
     */
    public static final class Stores {

        private final ObjectProvider<Factory> factory;

        private final Map<RedisServerProperties, DedicatedRedis> first = new HashMap<>();

        private final Map<String, DedicatedRedis> byName = new HashMap<>();

        public Stores(ObjectProvider<Factory> factory) {
            this.factory = factory;
        }

        String name(BackendChoice choice, DedicatedRedis own) {
            String backend = choice.backend();
            if (backend != null && !backend.equals(BackendType.REDIS.backend())) {
                throw new LockConfigurationException(
                        own.property(),
                        null,
                        "has no meaning with '" + choice.property() + "' set to '" + backend + "'",
                        "Set '" + own.locker().property("backend") + "' to redis, or take one of the two out.");
            }
            if (!hasClient()) {
                throw new LockConfigurationException(
                        own.property(), null, "needs a client of Redis", BackendType.REDIS.requirement());
            }
            return share(own).store();
        }

        /** Whether a client of Redis is on the class path. */
        boolean hasClient() {
            return factory.getIfAvailable() != null;
        }

        private synchronized DedicatedRedis share(DedicatedRedis own) {
            DedicatedRedis shared = first.computeIfAbsent(own.server(), server -> own);
            byName.put(shared.store(), shared);
            return shared;
        }

        synchronized @Nullable DedicatedRedis find(String name) {
            return byName.get(name);
        }

        LockBackend create(DedicatedRedis own) {
            return factory.getObject().create(own);
        }
    }
}
