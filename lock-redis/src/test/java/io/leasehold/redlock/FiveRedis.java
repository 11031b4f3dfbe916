package io.leasehold.redlock;

import io.leasehold.redis.RedisLockOptions;
import io.leasehold.redis.RedisQuorumNode;
import io.leasehold.servers.redis.RedisServer;
import io.leasehold.testsupport.FaultProxy;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Five independent redis-servers, each also behind a proxy, and processes that lock on them. */
final class FiveRedis implements AutoCloseable {

    static final Duration NODE_TIMEOUT = Duration.ofMillis(200);

    final List<RedisServer> servers =
            IntStream.range(0, 5).mapToObj(i -> RedisServer.start()).toList();

    final List<FaultProxy> proxies =
            servers.stream().map(server -> new FaultProxy(server.port())).toList();

    private final ClientResources resources = ClientResources.create();

    private final List<LettuceConnectionFactory> factories = new ArrayList<>();

    /** A process with a connection of its own to each server. */
    RedlockLockBackend direct(RedlockLockOptions options) {
        return backend(servers.stream().map(RedisServer::port).toList(), options, true);
    }

    /** A process with a connection of its own to each proxy. */
    RedlockLockBackend proxied(RedlockLockOptions options) {
        return backend(proxies.stream().map(FaultProxy::port).toList(), options, true);
    }

    RedlockLockBackend backend(List<Integer> ports, RedlockLockOptions options, boolean persistsEveryWrite) {
        List<RedlockNode> nodes = ports.stream()
                .map(port -> new RedlockNode(
                        "127.0.0.1:" + port,
                        new RedisQuorumNode(factory(port), RedisLockOptions.defaults(), persistsEveryWrite)))
                .toList();
        return new RedlockLockBackend(nodes, options, System::nanoTime);
    }

    static RedlockLockOptions options() {
        return new RedlockLockOptions(NODE_TIMEOUT, Duration.ofMinutes(1));
    }

    long holders(String key, String token) {
        return servers.stream()
                .filter(server -> token.equals(server.command("GET", key)))
                .count();
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        factories.forEach(LettuceConnectionFactory::destroy);
        resources.shutdown();
        servers.forEach(server -> {
            server.resume();
            server.close();
        });
    }

    private LettuceConnectionFactory factory(int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder().clientResources(resources).build());
        factory.afterPropertiesSet();
        factory.start();
        factories.add(factory);
        return factory;
    }
}
