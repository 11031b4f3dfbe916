package io.leasehold.faults;

import io.leasehold.testsupport.QuietLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs a random part of each backend's fault matrix. A few backends run at the same time, because most of the time of a
 * case is waiting. All promises hold, however slow the machine is. Only the whole matrix measures how soon a lock is
 * free again. Only the whole matrix includes etcd: if its files are on a disk that is busy with other tests, etcd does
 * not answer within a third of these short ttls.
 */
@Tag("slow")
class FaultMatrixCutTests {

    private static final int CASES = 24;

    private static final int INTERRUPTS = 40;

    private static final int AT_ONCE = 3;

    private static final Duration SLACK = Duration.ofSeconds(15);

    private static QuietLog quiet;

    private static ExecutorService executor;

    private static Map<FaultMatrixContract, Future<?>> running = Map.of();

    static List<FaultMatrixContract> backends() {
        return running.keySet().stream().toList();
    }

    @BeforeAll
    static void start() {
        quiet = new QuietLog("ROOT");
        executor = Executors.newFixedThreadPool(AT_ONCE);
        running = List.of(
                        new LettuceFaultMatrixTests(),
                        new JedisFaultMatrixTests(),
                        new RedlockFaultMatrixTests(),
                        new PostgresFaultMatrixTests(),
                        new MariaDbFaultMatrixTests(),
                        new PostgresRowFaultMatrixTests())
                .stream()
                .collect(Collectors.toMap(Function.identity(), FaultMatrixCutTests::start));
    }

    @AfterAll
    static void stop() {
        executor.shutdownNow();
        quiet.close();
    }

    @ParameterizedTest
    @MethodSource("backends")
    @Timeout(value = 8, unit = TimeUnit.MINUTES)
    void aCutOfTheMatrixHolds(FaultMatrixContract backend) throws InterruptedException, ExecutionException {
        running.get(backend).get();
    }

    private static Future<?> start(FaultMatrixContract backend) {
        return executor.submit(() -> {
            FaultMatrixContract.run(backend.store(), CASES, INTERRUPTS, 0, SLACK);
            return null;
        });
    }
}
