package io.leasehold.benchmarks.contestant;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j over Spring's Redis template. It renews a lock if it is asked for one of no particular length. */
final class Lock4jClient implements LockClient {

    private static final long PATIENCE_MILLIS = Duration.ofMinutes(5).toMillis();

    private static final long RENEWED = -1;

    private final LockTemplate template = new LockTemplate();

    private final long expireMillis;

    private Lock4jClient(String store, Duration ttl, long expireMillis) throws Exception {
        this.expireMillis = expireMillis;
        Lock4jProperties properties = new Lock4jProperties();
        properties.setExpire(ttl.toMillis());
        template.setProperties(properties);
        template.setExecutors(
                List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(Lettuce.factory(store)), properties)));
        template.afterPropertiesSet();
    }

    static LockClient plain(String store, Duration ttl) throws Exception {
        return new Lock4jClient(store, ttl, ttl.toMillis());
    }

    static LockClient renewed(String store, Duration ttl) throws Exception {
        return new Lock4jClient(store, ttl, RENEWED);
    }

    @Override
    public Hold acquire(String key) {
        LockInfo lock = template.lock("lock4j:" + key, expireMillis, PATIENCE_MILLIS);
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
