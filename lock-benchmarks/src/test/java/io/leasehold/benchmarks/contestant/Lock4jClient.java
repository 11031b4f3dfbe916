package io.leasehold.benchmarks.contestant;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j over Spring's Redis template, without renewal. */
final class Lock4jClient implements LockClient {

    private static final long WAIT_MILLIS = Duration.ofMinutes(5).toMillis();

    private final LockTemplate template = new LockTemplate();

    private final long ttlMillis;

    Lock4jClient(String store, Duration ttl) throws Exception {
        this.ttlMillis = ttl.toMillis();
        Lock4jProperties properties = new Lock4jProperties();
        template.setProperties(properties);
        template.setExecutors(
                List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(Lettuce.factory(store)), properties)));
        template.afterPropertiesSet();
    }

    @Override
    public Hold acquire(String key) {
        LockInfo lock = template.lock("lock4j:" + key, ttlMillis, WAIT_MILLIS);
        if (lock == null) {
            throw new IllegalStateException("'" + key + "' was not granted");
        }
        return () -> {
            if (!template.releaseLock(lock)) {
                throw new IllegalStateException("'" + key + "' was lost");
            }
        };
    }
}
