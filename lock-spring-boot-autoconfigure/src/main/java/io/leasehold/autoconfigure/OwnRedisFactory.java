package io.leasehold.autoconfigure;

import io.leasehold.spi.LockBackend;

/** Makes the store of lockers with a Redis of their own. There as far as the client of Redis is. */
@FunctionalInterface
interface OwnRedisFactory {

    /**
     * Makes the store. Does not wait for Redis.
     *
     * @param own which Redis
     * @return the store
     * @throws LockConfigurationException if what is said of it has no meaning
     */
    LockBackend create(OwnRedis own);
}
