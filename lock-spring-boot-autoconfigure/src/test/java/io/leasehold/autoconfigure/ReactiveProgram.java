package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The same with methods that return a {@code Mono} or a {@code Flux}. */
public class ReactiveProgram extends LockedProgram {

    @Override
    ApplicationContextRunner configure(ApplicationContextRunner runner) {
        return runner.withBean(ReactiveWork.class);
    }

    @Override
    void check(AssertableApplicationContext context) {
        super.check(context);
        ReactiveWork work = context.getBean(ReactiveWork.class);
        assertThat(work.one().block()).isEqualTo(1);
        assertThat(work.some().collectList().block()).containsExactly(1, 2);
    }

    /** Locked methods that return publishers. */
    public static class ReactiveWork {

        @DistributedLock("'a'")
        public Mono<Integer> one() {
            return Mono.just(1);
        }

        @DistributedLock("'a'")
        public Flux<Integer> some() {
            return Flux.just(1, 2);
        }
    }
}
