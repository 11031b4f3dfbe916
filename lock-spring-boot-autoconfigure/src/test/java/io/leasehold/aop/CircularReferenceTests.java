package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.implementation.SuperMethodCall;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.kafka.annotation.DltHandler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Beans that are referred to before they are initialized. Their proxy is made early, and the post-processors that call
 * methods of the bean get the object behind it.
 */
class CircularReferenceTests {

    @Test
    void aScheduledMethodIsRefused() {
        circular(Job.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .rootCause()
                        .hasMessageContaining("Job.run() (bean 'job')")
                        .hasMessageContaining(
                                "its bean is part of a circular reference, so that @Scheduled calls the object"
                                        + " behind the proxy")
                        .hasMessageContaining("Inject the bean with @Lazy, or move the method to a bean of its own"));
    }

    @Test
    void aMethodOfAListenerIsRefused() {
        circular(Listener.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("so that @JmsListener calls the object behind the proxy"));
    }

    @Test
    void aMethodOfAnEndpointIsRefused() {
        circular(Endpoint.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("so that @ServiceActivator calls the object behind the proxy"));
    }

    @Test
    void aHandlerOfDeadLettersIsRefused() {
        circular(DeadLetters.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("so that @DltHandler calls the object behind the proxy"));
    }

    /** The annotation is new in Spring Boot 4.1, and this class is compiled with 4.0 as well. */
    @Test
    void aMethodOfAListenerOfRedisIsRefused() throws Exception {
        Class<? extends Annotation> annotation = Class.forName(
                        "org.springframework.data.redis.annotation.RedisListener")
                .asSubclass(Annotation.class);
        Class<?> listener = new ByteBuddy()
                .subclass(Plain.class)
                .name("io.leasehold.aop.RedisListening")
                .method(ElementMatchers.named("receive"))
                .intercept(SuperMethodCall.INSTANCE)
                .annotateMethod(AnnotationDescription.Builder.ofType(annotation).build())
                .make()
                .load(getClass().getClassLoader(), ClassLoadingStrategy.UsingLookup.of(MethodHandles.lookup()))
                .getLoaded();
        circular(listener)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .hasStackTraceContaining("so that @RedisListener calls the object behind the proxy"));
    }

    @Test
    void anOtherMethodIsLocked() {
        circular(Service.class).run(context -> {
            context.getBean(Service.class).callItself("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    @Test
    void aMethodOfALazyBeanIsLocked() {
        circular(LazyService.class).run(context -> {
            context.getBean(LazyService.class).callItself("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    @Test
    void aScheduledMethodWhoseBeanIsInjectedLazilyIsLocked() {
        circular(LazyJob.class).run(context -> {
            assertThat(context.getBean(LazyJob.class).awaitRun()).isTrue();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("job");
        });
    }

    private static ApplicationContextRunner circular(Class<?> bean) {
        return LockedContext.with(Schedules.class)
                .withAllowCircularReferences(true)
                .withBean(bean.getSimpleName().toLowerCase(Locale.ROOT), bean);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Schedules {}

    public static class Job {

        @Autowired
        Job self;

        @Scheduled(fixedDelay = 3_600_000, initialDelay = 3_600_000)
        @DistributedLock("'job'")
        public void run() {}
    }

    public static class LazyJob {

        @Autowired
        @Lazy
        LazyJob self;

        private final CountDownLatch ran = new CountDownLatch(1);

        public boolean awaitRun() throws InterruptedException {
            return ran.await(30, TimeUnit.SECONDS);
        }

        @Scheduled(fixedDelay = 3_600_000)
        @DistributedLock("'job'")
        public void run() {
            ran.countDown();
        }
    }

    public static class Listener {

        @Autowired
        Listener self;

        @JmsListener(destination = "orders")
        @DistributedLock("#order")
        public void receive(String order) {}
    }

    public static class DeadLetters {

        @Autowired
        DeadLetters self;

        @DltHandler
        @DistributedLock("#order")
        public void receive(String order) {}
    }

    public static class Plain {

        @Autowired
        Plain self;

        @DistributedLock("#order")
        public void receive(String order) {}
    }

    public static class Endpoint {

        @Autowired
        Endpoint self;

        @ServiceActivator(inputChannel = "orders")
        @DistributedLock("#order")
        public void receive(String order) {}
    }

    @Lazy
    public static class LazyService {

        @Autowired
        LazyService self;

        public void callItself(String key) {
            self.work(key);
        }

        @DistributedLock("#key")
        public void work(String key) {}
    }

    public static class Service {

        @Autowired
        Service self;

        public void callItself(String key) {
            self.work(key);
        }

        @DistributedLock("#key")
        public void work(String key) {}
    }
}
