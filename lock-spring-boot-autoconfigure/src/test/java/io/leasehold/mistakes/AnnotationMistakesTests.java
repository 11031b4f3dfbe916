package io.leasehold.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import jakarta.annotation.PostConstruct;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** Annotations that cannot work, at start-up or in one call. */
class AnnotationMistakesTests extends MistakesPage {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s");

    @Test
    void missingKey() {
        start(MissingKey.class);
    }

    @Test
    void invalidExpression() {
        start(InvalidExpression.class);
    }

    @Test
    void textWithoutQuotes() {
        start(TextWithoutQuotes.class);
    }

    @Test
    void misspeltParameter() {
        start(MisspeltParameter.class);
    }

    @Test
    void getter() {
        start(Getter.class);
    }

    @Test
    void accessor() {
        start(Accessor.class);
    }

    @Test
    void textOfAValue() {
        start(TextOfAValue.class);
    }

    @Test
    void unknownPropertyOfTheRoot() {
        start(UnknownPropertyOfTheRoot.class);
    }

    @Test
    void propertyOfTheTargetClass() {
        start(PropertyOfTheTargetClass.class);
    }

    @Test
    void beanInAKey() {
        start(BeanInAKey.class);
    }

    @Test
    void propertyOfAClass() {
        call(orders -> orders.byType(String.class));
    }

    @Test
    void entryOfAMap() {
        call(orders -> orders.byTag(new HashMap<>()));
    }

    @Test
    void misspeltLocker() {
        start(MisspeltLocker.class);
    }

    @Test
    void durationWithoutUnit() {
        start(DurationWithoutUnit.class);
    }

    @Test
    void maximumHoldTimeShorterThanTheTtlOfTheLocker() {
        start(ShortMaximumHoldTime.class);
    }

    @Test
    void methodThatTheContainerCallsByName() {
        start(CalledByName.class);
    }

    @Test
    void skippedPrimitive() {
        start(SkippedPrimitive.class);
    }

    @Test
    void missingFallback() {
        start(MissingFallback.class);
    }

    @Test
    void lazyResult() {
        start(LazyResult.class);
    }

    @Test
    void privateMethod() {
        start(PrivateMethod.class);
    }

    @Test
    void finalMethod() {
        start(FinalMethod.class);
    }

    @Test
    void classThatIsNotWoven() {
        assertOnPage(StartFailures.of(new ApplicationContextRunner()
                .withUserConfiguration(Woven.class)
                .withBean(NotWoven.class)));
    }

    @Test
    void wovenSuspendingFunction() {
        assertOnPage(StartFailures.of(new ApplicationContextRunner()
                .withUserConfiguration(Woven.class)
                .withBean(Suspending.class)));
    }

    @Test
    void wovenAsynchronousExecution() {
        assertOnPage(StartFailures.of(
                runner.withBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME, Object.class)
                        .withBean(Asynchronous.class)));
    }

    @Test
    void excludedAspect() {
        assertOnPage(StartFailures.of(new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory")
                .withBean(Excluded.class)));
    }

    @Test
    void scheduledMethodInACircularReference() {
        assertOnPage(StartFailures.of(runner.withAllowCircularReferences(true).withBean(Circular.class)));
    }

    @Test
    void staticMethod() {
        start(StaticMethod.class);
    }

    @Test
    void misspeltProperty() {
        call(orders -> orders.misspelt(new User("7", null)));
    }

    @Test
    void nullArgument() {
        call(orders -> orders.byUser(null));
    }

    @Test
    void nullProperty() {
        call(orders -> orders.byCity(new User("7", null)));
    }

    @Test
    void objectAsKey() {
        call(orders -> orders.byObject(new Object()));
    }

    @Test
    void templateAsKey() {
        start(TemplateAsKey.class);
    }

    @Test
    void placeholderAsKey() {
        start(PlaceholderAsKey.class);
    }

    @Test
    void beanNameAsLocker() {
        start(BeanNameAsLocker.class);
    }

    @Test
    void placeholderWithoutValue() {
        assertOnPage(application(PlaceholderWithoutValue.class));
    }

    @Test
    void placeholderThatIsEmpty() {
        assertOnPage(application(EmptyPlaceholder.class));
    }

    @Test
    void placeholderOfAnEmptyProperty() {
        assertOnPage(application(SwitchOfAPlaceholder.class, "report.renew="));
    }

    @Test
    void durationOfAPlaceholderWithoutUnit() {
        assertOnPage(application(EmptyPlaceholder.class, "report.ttl=30"));
    }

    @Test
    void maximumHoldTimeOfAPlaceholder() {
        assertOnPage(application(ShortPlaceholder.class, "report.max-hold=10s", "report.ttl=30s"));
    }

    @Test
    void maximumHoldTimeOfAPlaceholderShorterThanTheTtlOfTheLocker() {
        assertOnPage(application(ShorterThanTheLocker.class, "report.max-hold=10s"));
    }

    @Test
    void lockerOfAPlaceholder() {
        assertOnPage(application(LockerOfAPlaceholder.class, "report.locker=depoly"));
    }

    @Test
    void lockerOfAnEmptyPlaceholder() {
        assertOnPage(application(LockerOfAPlaceholder.class, "report.locker="));
    }

    @Test
    void lockerInUpperCase() {
        start(LockerInUpperCase.class);
    }

    @Test
    void severalAnnotations() {
        start(SeveralAnnotations.class);
    }

    @Test
    void fallbackOfAnotherType() {
        start(FallbackOfAnotherType.class);
    }

    @Test
    void finalClass() {
        start(FinalClass.class);
    }

    @Test
    void initMethod() {
        start(InitMethod.class);
    }

    @Test
    void destroyMethod() {
        start(DestroyMethod.class);
    }

    @Test
    void noKeys() {
        call(orders -> orders.byIds(List.of()));
    }

    @Test
    void nullAmongKeys() {
        call(orders -> orders.byIds(Arrays.asList(7L, null)));
    }

    @Test
    void optionalAsKey() {
        call(orders -> orders.byOptional(Optional.of("7")));
        assertKey("7", orders -> orders.byOptionalOrNone(Optional.of("7")));
        assertKey("none", orders -> orders.byOptionalOrNone(Optional.empty()));
    }

    @Test
    void optionalAsPartOfAKey() {
        call(orders -> orders.byPartOfOptional(Optional.empty()));
        assertKey("order-7", orders -> orders.byPartOfOptionalOrNone(Optional.of("7")));
    }

    @Test
    void firstOfNoElements() {
        call(orders -> orders.byFirst(List.of()));
        assertKey("7", orders -> orders.byFirstOrNone(List.of("7")));
        assertKey("none", orders -> orders.byFirstOrNone(List.of()));
    }

    @Test
    void elementThatIsNotThere() {
        call(orders -> orders.bySecond(new String[] {"7"}));
    }

    @Test
    void lockedFallback() {
        start(LockedFallback.class);
    }

    @Test
    void stopOfALifecycle() {
        start(Stopped.class);
    }

    @Test
    void placeholderInTheTextOfAKey() {
        start(PlaceholderInText.class);
    }

    private void start(Class<?> bean) {
        assertOnPage(StartFailures.of(runner.withBean(bean)));
    }

    /** As a user starts it, with the placeholders of a real application. */
    private static FailureAnalysis application(Class<?> bean, String... properties) {
        SpringApplication application = new SpringApplication(Application.class, bean);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.addInitializers(context -> TestPropertyValues.of(properties)
                .and("lock.backend=memory", "lock.lockers.deploy.ttl=30s")
                .applyTo(context));
        return StartFailures.of(application);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        LockAutoConfiguration.class,
        LockAspectAutoConfiguration.class
    })
    static class Application {}

    private void call(Consumer<Orders> call) {
        runner.withBean(Orders.class)
                .run(context ->
                        assertOnPage(Assertions.catchThrowable(() -> call.accept(context.getBean(Orders.class)))));
    }

    /** The next step of a message works. */
    private void assertKey(String expected, Function<Orders, String> corrected) {
        runner.withBean(Orders.class)
                .run(context -> assertThat(corrected.apply(context.getBean(Orders.class)))
                        .isEqualTo(expected));
    }

    record User(String id, Address address) {}

    record Address(String city) {}

    static class Orders {

        @DistributedLock(key = "#user.idd")
        public void misspelt(User user) {}

        @DistributedLock(key = "#user.id")
        public void byUser(User user) {}

        @DistributedLock(key = "#user.address.city")
        public void byCity(User user) {}

        @DistributedLock(key = "#order")
        public void byObject(Object order) {}

        @DistributedLock(key = "#ids")
        public void byIds(List<Long> ids) {}

        @DistributedLock(key = "'type-' + #type.name")
        public void byType(Class<?> type) {}

        @DistributedLock(key = "#tags.region")
        public void byTag(Map<String, String> tags) {}

        @DistributedLock(key = "#customer")
        public void byOptional(Optional<String> customer) {}

        @DistributedLock(key = "#customer ?: 'none'")
        public String byOptionalOrNone(Optional<String> customer) {
            return key();
        }

        @DistributedLock(key = "'order-' + #customer")
        public void byPartOfOptional(Optional<String> customer) {}

        @DistributedLock(key = "'order-' + (#customer ?: 'none')")
        public String byPartOfOptionalOrNone(Optional<String> customer) {
            return key();
        }

        @DistributedLock(key = "#lines[0]")
        public void byFirst(List<String> lines) {}

        @DistributedLock(key = "#lines.empty ? 'none' : #lines[0]")
        public String byFirstOrNone(List<String> lines) {
            return key();
        }

        @DistributedLock(key = "#lines[1]")
        public void bySecond(String[] lines) {}

        private static String key() {
            return LockContext.current().orElseThrow().key();
        }
    }

    static class MissingKey {

        @DistributedLock
        public void run() {}
    }

    static class InvalidExpression {

        @DistributedLock(key = "#user.")
        public void run(User user) {}
    }

    static class TextWithoutQuotes {

        @DistributedLock(key = "report")
        public void run() {}
    }

    static class MisspeltParameter {

        @DistributedLock(key = "#usr.id")
        public void run(User user) {}
    }

    static class Getter {

        @DistributedLock(key = "#user.getId()")
        public void run(User user) {}
    }

    static class Accessor {

        @DistributedLock(key = "#user.id()")
        public void run(User user) {}
    }

    static class TextOfAValue {

        @DistributedLock(key = "'user-' + #id.toString()")
        public void run(UUID id) {}
    }

    static class UnknownPropertyOfTheRoot {

        @DistributedLock(key = "#root.method.name")
        public void run() {}
    }

    static class PropertyOfTheTargetClass {

        @DistributedLock(key = "#root.targetClass.simpleName + '/' + #id")
        public void run(String id) {}
    }

    static class BeanInAKey {

        @DistributedLock(key = "@tenants.current + '/' + #id")
        public void run(String id) {}
    }

    static class MisspeltLocker {

        @DistributedLock(locker = "depoly", key = "'report'")
        public void run() {}
    }

    static class DurationWithoutUnit {

        @DistributedLock(key = "'report'", ttl = "30")
        public void run() {}
    }

    static class SkippedPrimitive {

        @DistributedLock(key = "'report'", onFailure = OnFailure.SKIP)
        public int run() {
            return 1;
        }
    }

    static class MissingFallback {

        @DistributedLock(key = "'report'", fallbackMethod = "busy")
        public void run() {}
    }

    static class LazyResult {

        @DistributedLock(key = "'report'")
        public Stream<String> run() {
            return Stream.of("line");
        }
    }

    static class PrivateMethod {

        @DistributedLock(key = "'report'")
        @SuppressWarnings("unused")
        private void run() {}
    }

    static class FinalMethod {

        @DistributedLock(key = "'report'")
        public final void run() {}
    }

    static class Excluded {

        @DistributedLock(key = "'run'")
        void run() {}
    }

    static class Circular {

        @Autowired
        Circular self;

        @Scheduled(fixedDelay = 1_000)
        @DistributedLock(key = "'run'")
        void run() {}
    }

    static class NotWoven {

        @DistributedLock(key = "'report'")
        public void run() {}
    }

    static class Asynchronous {

        @Async
        @DistributedLock(key = "'report'")
        public void run() {}
    }

    static class Suspending {

        @DistributedLock(key = "'report'")
        public Object run(Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }
    }

    /** Validates as with lock.aspect.mode=aspectj in a JVM with the weaver. */
    @Configuration(proxyBeanMethods = false)
    static class Woven {

        @Bean
        static DistributedLockValidator validator(ConfigurableListableBeanFactory beans) {
            return new DistributedLockValidator(new LockSpecs(text -> text), beans, true);
        }
    }

    static class StaticMethod {

        @DistributedLock(key = "'report'")
        public static void run() {}
    }

    static class TemplateAsKey {

        @DistributedLock(key = "#{#user.id}")
        public void run(User user) {}
    }

    static class PlaceholderAsKey {

        @DistributedLock(key = "${user.id}")
        public void run(User user) {}
    }

    static class BeanNameAsLocker {

        @DistributedLock(locker = "deployLocker", key = "'report'")
        public void run() {}
    }

    static class PlaceholderWithoutValue {

        @DistributedLock(key = "'report'", waitTime = "${report.wait}")
        public void run() {}
    }

    static class LockedFallback {

        @DistributedLock(key = "'report'", fallbackMethod = "busy")
        public void run() {}

        @DistributedLock(key = "'busy'")
        public void busy() {}
    }

    static class Stopped implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        @DistributedLock(key = "'report'")
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class PlaceholderInText {

        @DistributedLock(key = "'${tenant}:' + #user.id")
        public void run(User user) {}
    }

    static class EmptyPlaceholder {

        @DistributedLock(key = "'report'", ttl = "${report.ttl:}")
        public void run() {}
    }

    static class SwitchOfAPlaceholder {

        @DistributedLock(key = "'report'", autoRenew = "${report.renew}")
        public void run() {}
    }

    static class ShortPlaceholder {

        @DistributedLock(
                key = "'report'",
                waitTime = "${report.wait:1s}",
                ttl = "${report.ttl}",
                maxHoldTime = "${report.max-hold}")
        public void run() {}
    }

    static class ShorterThanTheLocker {

        @DistributedLock(key = "'report'", maxHoldTime = "${report.max-hold}")
        public void run() {}
    }

    static class LockerOfAPlaceholder {

        @DistributedLock(key = "'report'", locker = "${report.locker}")
        public void run() {}
    }

    static class LockerInUpperCase {

        @DistributedLock(key = "'report'", locker = "Deploy")
        public void run() {}
    }

    static class SeveralAnnotations {

        @SingleInstance(key = "'report'", minHoldTime = "1m")
        @DistributedLock(key = "'report'")
        public void run() {}
    }

    static class FallbackOfAnotherType {

        @DistributedLock(key = "'report'", fallbackMethod = "busy")
        public String run() {
            return "";
        }

        public int busy() {
            return 1;
        }
    }

    static final class FinalClass {

        @DistributedLock(key = "'report'")
        public void run() {}
    }

    static class InitMethod {

        @PostConstruct
        @DistributedLock(key = "'report'")
        public void load() {}
    }

    static class DestroyMethod implements DisposableBean {

        @Override
        @DistributedLock(key = "'report'")
        public void destroy() {}
    }

    static class ShortMaximumHoldTime {

        @DistributedLock(key = "'report'", maxHoldTime = "10s")
        public void run() {}
    }

    static class CalledByName implements AutoCloseable {

        @Override
        @DistributedLock(key = "'report'")
        public void close() {}
    }
}
