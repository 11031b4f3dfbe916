package io.leasehold.faults;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import java.util.List;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Redis over Jedis. */
class JedisFaultMatrixTests extends FaultMatrixContract {

    @Override
    BreakableStore store() {
        return new RedisStore() {

            @Override
            String name() {
                return "redis-jedis";
            }

            @Override
            Connection connect(List<Integer> ports) {
                JedisConnectionFactory factory =
                        new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", ports.get(0)));
                factory.afterPropertiesSet();
                factory.start();
                return new Connection(RedisLockBackend.of(factory, RedisLockOptions.defaults()), factory::destroy);
            }
        };
    }
}
