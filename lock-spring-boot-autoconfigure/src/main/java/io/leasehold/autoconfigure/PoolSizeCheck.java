package io.leasehold.autoconfigure;

import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * Tells at start-up that a connection pool is too small for the locks that use it, or for the rest of the application
 * beside them. Of a data source that does not say how many connections it has, nothing is known.
 */
final class PoolSizeCheck {

    private static final Logger log = LoggerFactory.getLogger(PoolSizeCheck.class);

    private final DataSourcePoolMetadataProvider pools;

    PoolSizeCheck(DataSourcePoolMetadataProvider pools) {
        this.pools = pools;
    }

    /**
     * Looks at a pool.
     *
     * @param dataSource the pool
     * @param locks how many of its connections the locks keep for themselves
     * @param own whether the configuration names this data source for locks, so that it may serve nothing else
     * @param prefix the prefix of the properties that say so
     */
    void check(DataSource dataSource, int locks, boolean own, String prefix) {
        DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
        Integer most = pool == null ? null : pool.getMax();
        if (most == null || most < 0 || most > locks || own && most == locks) {
            return;
        }
        log.warn(
                "The connection pool is too small: it has at most {} connections, and the locks of '{}' keep up to {} of"
                        + " them for themselves, so that {}. Enlarge the pool, for example by"
                        + " spring.datasource.hikari.maximum-pool-size, or give the locks a DataSource of their own by"
                        + " {}.data-source",
                most,
                prefix,
                locks,
                most < locks ? "they wait for each other's" : "nothing is left for the rest of the application",
                prefix);
    }
}
