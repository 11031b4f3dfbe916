package io.leasehold.benchmarks.contestant;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.UUID;

/**
 * The canonical algorithm by hand, over one connection that all threads share: {@code SET NX PX} with a token of its
 * own and a script that compares and deletes. It cannot wait, has no fencing tokens and renews nothing.
 */
final class RawLettuceClient implements LockClient {

    private static final String COMPARE_AND_DELETE =
            "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

    private final RedisCommands<String, String> commands;

    private final String script;

    private final SetArgs terms;

    RawLettuceClient(String store, Duration ttl) {
        commands = RedisClient.create(store).connect().sync();
        script = commands.scriptLoad(COMPARE_AND_DELETE);
        terms = SetArgs.Builder.nx().px(ttl.toMillis());
    }

    @Override
    public Hold acquire(String key) {
        String token = UUID.randomUUID().toString();
        if (commands.set("raw:" + key, token, terms) == null) {
            throw new IllegalStateException("'" + key + "' is locked, and the raw client does not wait");
        }
        return () -> release("raw:" + key, token);
    }

    private void release(String lock, String token) {
        Long deleted = commands.evalsha(script, ScriptOutputType.INTEGER, new String[] {lock}, token);
        if (deleted != 1) {
            throw new IllegalStateException("'" + lock + "' was lost");
        }
    }
}
