package io.leasehold.redis.client;

import java.lang.reflect.Method;
import java.util.Objects;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.Jedis;

/**
 * Connections of Jedis for locks, in a factory with the settings of the application's. Since Spring Data Redis 4.1 a
 * {@code RedisConnection} takes another connection from the pool for each command, unless {@code useUnifiedJedis} is off.
 * {@code WAIT} would then not wait for the script before it, and a script whose caller gave up while the pool was empty
 * would still be sent. Before that version, in clusters and for subclasses, the factory is that of the application.
 */
final class JedisConnections implements BlockingClientAdapter.Connections {

    private static final @Nullable Method USE_UNIFIED_JEDIS = method("setUseUnifiedJedis", boolean.class);

    private static final @Nullable Method USES_UNIFIED_JEDIS = method("isUseUnifiedJedis");

    private final JedisConnectionFactory application;

    private @Nullable JedisConnectionFactory own;

    private boolean closed;

    JedisConnections(JedisConnectionFactory application) {
        this.application = application;
    }

    @Override
    public synchronized JedisConnectionFactory factory() {
        if (USE_UNIFIED_JEDIS == null
                || application.isRedisClusterAware()
                || application.getClass() != JedisConnectionFactory.class) {
            return application;
        }
        JedisConnectionFactory present = own;
        if (present == null) {
            if (closed) {
                throw new IllegalStateException("the backend is closed");
            }
            present = start(USE_UNIFIED_JEDIS);
            own = present;
        }
        return present;
    }

    /** Started by the first command: a pool of masters asks the sentinels at its start. */
    private JedisConnectionFactory start(Method useUnifiedJedis) {
        RedisSentinelConfiguration sentinels = application.getSentinelConfiguration();
        JedisConnectionFactory factory = sentinels != null
                ? new OfMaster(sentinels, application.getClientConfiguration())
                : new JedisConnectionFactory(
                        Objects.requireNonNull(application.getStandaloneConfiguration()),
                        application.getClientConfiguration());
        try {
            useUnifiedJedis.invoke(factory, false);
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    @Override
    public @Nullable String obstacleToConfirmation() {
        if (application.isRedisClusterAware()) {
            return "Jedis cannot ask the node of a Redis Cluster that has the lock for its replicas; use Lettuce";
        }
        if (application.getClass() == JedisConnectionFactory.class || !usesUnifiedJedis()) {
            return null;
        }
        return application.getClass().getName() + " asks replicas over another connection of its pool than that of the"
                + " lock; call setUseUnifiedJedis(false) on it";
    }

    private boolean usesUnifiedJedis() {
        try {
            return USES_UNIFIED_JEDIS != null && (boolean) USES_UNIFIED_JEDIS.invoke(application);
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** The pool would return it to the next caller, and never look for the master. */
    @Override
    public void leave(RedisConnection toReplica) {
        if (toReplica.getNativeConnection() instanceof Jedis jedis) {
            jedis.getConnection().setBroken();
        }
    }

    private static @Nullable Method method(String name, Class<?>... parameters) {
        try {
            return JedisConnectionFactory.class.getMethod(name, parameters);
        } catch (NoSuchMethodException olderVersion) {
            return null;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (own != null) {
            own.destroy();
        }
    }

    /**
     * Its pool is not in JMX. The pool enters itself there before it asks the sentinels, and stays there if none answers,
     * once for each attempt.
     */
    private static final class OfMaster extends JedisConnectionFactory {

        OfMaster(RedisSentinelConfiguration sentinels, JedisClientConfiguration client) {
            super(sentinels, client);
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> GenericObjectPoolConfig<T> getPoolConfig() {
            GenericObjectPoolConfig<T> given = super.getPoolConfig();
            GenericObjectPoolConfig<T> own =
                    given == null ? (GenericObjectPoolConfig<T>) new ConnectionPoolConfig() : given.clone();
            own.setJmxEnabled(false);
            return own;
        }
    }
}
