package io.leasehold.faults;

import io.leasehold.redis.RedisLockBackend;
import io.leasehold.redis.RedisLockOptions;
import io.lettuce.core.resource.ClientResources;
import java.util.List;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Redis over Lettuce. */
class LettuceFaultMatrixTests extends FaultMatrixContract {

    private static final ClientResources RESOURCES = ClientResources.create();

    @Override
    BreakableStore store() {
        return new RedisStore() {

            @Override
            String name() {
                return "redis-lettuce";
            }

            @Override
            Connection connect(List<Integer> ports) {
                LettuceConnectionFactory factory = new LettuceConnectionFactory(
                        new RedisStandaloneConfiguration("127.0.0.1", ports.get(0)),
                        LettuceClientConfiguration.builder()
                                .clientResources(RESOURCES)
                                .build());
                factory.afterPropertiesSet();
                factory.start();
                return new Connection(RedisLockBackend.of(factory, RedisLockOptions.defaults()), factory::destroy);
            }
        };
    }
}
