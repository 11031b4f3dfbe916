package io.leasehold.engine;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** An engine whose clock a test moves by hand, and a locker whose store answers as the test says. */
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
        engine.close();
    }
}
