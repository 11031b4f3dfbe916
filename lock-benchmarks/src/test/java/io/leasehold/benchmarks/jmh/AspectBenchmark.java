package io.leasehold.benchmarks.jmh;

import io.leasehold.Locker;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The cost of the annotation, compared with the same lock acquired by hand and with the same call through a proxy that
 * does nothing.
 */
@State(Scope.Benchmark)
public class AspectBenchmark {

    private ConfigurableApplicationContext context;

    private Work locked;

    private Work proxied;

    private Locker locker;

    @Setup
    public void start() {
        context = new SpringApplicationBuilder(WorkConfiguration.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties("lock.backend=memory")
                .run();
        locked = context.getBean("lockedWork", Work.class);
        proxied = context.getBean("proxiedWork", Work.class);
        locker = context.getBean("defaultLocker", Locker.class);
    }

    @TearDown
    public void stop() {
        context.close();
    }

    @Benchmark
    public long annotated() {
        return locked.work("user-1");
    }

    @Benchmark
    public long byHand() throws Exception {
        return locker.executeLocked("user-1", () -> 1L);
    }

    @Benchmark
    public long bareProxy() {
        return proxied.work("user-1");
    }
}
