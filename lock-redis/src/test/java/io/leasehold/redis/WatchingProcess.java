package io.leasehold.redis;

import io.leasehold.LockHandle;
import io.leasehold.engine.LockerSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that acquires a lock and reports when it holds the lock, when it last held a lock that it does not hold any
 * more, and when the time of day jumps. Its output contains times of the machine's monotonic clock, which is the same for all processes.
 */
public final class WatchingProcess {

    private static final long JUMP_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private WatchingProcess() {}

    /**
     * Runs the process.
     *
     * @param arguments the port of Redis, the ttl in milliseconds
     */
    public static void main(String[] arguments) {
        LockerSettings settings = LockerSettings.of("hold").withTtl(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (RedisLocking locking = new RedisLocking(Integer.parseInt(arguments[0]), settings)) {
            LockHandle lock = locking.locker().lock("it");
            lock.onLost(reason -> say("lost " + reason));
            say("held " + lock.fencingToken());
            boolean held = true;
            long lastHeld = System.nanoTime();
            long difference = difference();
            while (true) {
                long asked = System.nanoTime();
                boolean answer = lock.isHeld();
                if (answer) {
                    lastHeld = asked;
                }
                if (answer != held) {
                    held = answer;
                    say(held ? "again " + asked : "not " + lastHeld);
                }
                long now = difference();
                if (Math.abs(now - difference) > JUMP_MILLIS) {
                    say("jumped " + TimeUnit.MILLISECONDS.toSeconds(now - difference));
                    difference = now;
                }
                LockSupport.parkNanos(500_000);
            }
        }
    }

    private static long difference() {
        return System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
