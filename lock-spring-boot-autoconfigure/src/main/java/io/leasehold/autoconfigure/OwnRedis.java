package io.leasehold.autoconfigure;

/**
 * The Redis of a locker that does not lock where the others do.
 *
 * @param locker the locker
 * @param server which Redis
 */
record OwnRedis(LockerName locker, RedisServerProperties server) {

    /** The name of the store, in meters, the health check and the log. */
    String store() {
        return locker.value() + ".redis";
    }

    /** The prefix of the properties that say so. */
    String property() {
        return locker.property("redis");
    }
}
