package io.leasehold.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/** An engine with a clock that the test moves by hand, and a locker with a store that answers as scripted. */
abstract class EngineInVirtualTime {

    static final Duration TTL = Duration.ofSeconds(30);

    final VirtualTime time = new VirtualTime();

    final ScriptedBackend backend = new ScriptedBackend();

    final RecordingListener listener = new RecordingListener();

    final LockEngine engine = time.engine(listener);

    final LeaseLocker locker;

    EngineInVirtualTime() {
        this(VirtualTime.settings("deploy").withTtl(TTL));
    }

    EngineInVirtualTime(LockerSettings settings) {
        locker = engine.locker(settings, "scripted", backend);
    }

    @AfterEach
    void close() {
        time.close(engine);
    }

    /** Runs a blocking call. A common pool of one thread, as JDK 25 has on two cores, would not run two of these. */
    static <T> CompletableFuture<T> onAThread(Supplier<T> blocking) {
        return CompletableFuture.supplyAsync(blocking, task -> {
            Thread thread = new Thread(task, "caller");
            thread.setDaemon(true);
            thread.start();
        });
    }
}
