package io.leasehold.jdbc;

/** A backend that reports how busy its connections are. */
public interface JdbcMonitored {

    /**
     * Returns how busy the connections are.
     *
     * @return the values of this moment; does not block
     */
    JdbcLoad load();

    /**
     * Publishes the meters of the backend's pool, with the name of the pool as the tag {@code pool}, until the backend
     * is closed. Does nothing if the backend did not create the pool, or if the pool already publishes its meters, as
     * the pool does from which its settings were taken.
     *
     * @param registry Micrometer's {@code MeterRegistry} or Dropwizard's {@code MetricRegistry}
     * @throws IllegalArgumentException if it is neither
     */
    void publishPoolMeters(Object registry);
}
