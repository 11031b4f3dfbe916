package io.leasehold.redis;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import io.leasehold.servers.redis.RespClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process whose threads increment a number in Redis by reading and writing it under a lock. The result is wrong as
 * soon as two threads do this at the same time. Each thread also records its fencing token.
 */
public final class CountingProcess {

    private CountingProcess() {}

    /**
     * Runs the process.
     *
     * @param arguments the port of Redis, the number of threads, the number of increments of each thread
     */
    public static void main(String[] arguments) throws InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        int threads = Integer.parseInt(arguments[1]);
        int times = Integer.parseInt(arguments[2]);
        LockerSettings settings = LockerSettings.of("count").withWaitTime(Duration.ofMinutes(1));
        try (RedisLocking locking = new RedisLocking(port, settings)) {
            List<Thread> counters = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Thread counter = new Thread(() -> count(locking, port, times));
                counter.setUncaughtExceptionHandler((thread, ex) -> {
                    ex.printStackTrace();
                    Runtime.getRuntime().halt(1);
                });
                counter.start();
                counters.add(counter);
            }
            for (Thread counter : counters) {
                counter.join();
            }
        }
        System.exit(0);
    }

    private static void count(RedisLocking locking, int port, int times) {
        try (RespClient redis = new RespClient(port, 10_000)) {
            for (int i = 0; i < times; i++) {
                try (LockHandle lock = locking.locker().lock("number")) {
                    Object before = redis.command("GET", "number");
                    long number = before == null ? 0 : Long.parseLong((String) before);
                    redis.command("RPUSH", "fences", Long.toString(lock.fencingToken()));
                    redis.command("SET", "number", Long.toString(number + 1));
                }
            }
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
