package io.leasehold.redis;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that waits for a lock, acquires it, and checks all the time whether it still holds it. Its output contains times of the
 * machine's monotonic clock, which is the same for all processes.
 */
public final class HoldingProcess {

    private static final Duration LONG = Duration.ofMinutes(1);

    private HoldingProcess() {}

    /**
     * Runs the process.
     *
     * @param arguments the port of Redis, the ttl in milliseconds
     */
    public static void main(String[] arguments) {
        LockerSettings settings = LockerSettings.of("hold").withTtl(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (RedisLocking locking = new RedisLocking(Integer.parseInt(arguments[0]), settings)) {
            LockHandle lock = locking.locker().lock(LockRequest.of("it").withWaitTime(LONG));
            lock.onLost(reason -> say("told " + System.nanoTime()));
            say("held " + lock.fencingToken());
            long lastHeld = 0;
            for (long now = System.nanoTime(); lock.isHeld(); now = System.nanoTime()) {
                lastHeld = now;
                LockSupport.parkNanos(100_000);
            }
            say("last " + lastHeld);
            LockSupport.parkNanos(LONG.toNanos());
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
