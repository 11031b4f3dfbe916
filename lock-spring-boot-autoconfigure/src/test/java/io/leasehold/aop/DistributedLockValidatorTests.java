package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.leasehold.LockBackendException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.aop.spec.LockSpecs;
import io.leasehold.aop.validation.DistributedLockValidator;
import io.leasehold.aop.validation.UninterceptedMethodCheck;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Callable;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.NestedExceptionUtils;
import reactor.core.publisher.Flux;

@ExtendWith(OutputCaptureExtension.class)
class DistributedLockValidatorTests {

    @Test
    void aSoundApplicationStartsWithoutWarnings(CapturedOutput output) {
        LockedContext.with(Sound.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Sound.class).work("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
            assertThat(output).doesNotContain("WARN  [main]").doesNotContain("not eligible");
        });
    }

    @Test
    void aPrivateMethodIsRefused() {
        assertRefused(PrivateMethod.class, Kind.INTERCEPTION, ex -> {
            assertThat(ex).hasMessageContaining("private").hasMessageContaining("PrivateMethod.work(String)");
            assertThat(ex.bean()).contains("PrivateMethod");
        });
    }

    @Test
    void aStaticMethodIsRefused() {
        assertRefused(
                StaticMethod.class, Kind.INTERCEPTION, ex -> assertThat(ex).hasMessageContaining("static"));
    }

    @Test
    void aFinalMethodIsRefused() {
        assertRefused(FinalMethod.class, Kind.INTERCEPTION, ex -> assertThat(ex).hasMessageContaining("final"));
    }

    @Test
    void aFinalMethodOfAnAnnotatedClassIsRefused() {
        assertRefused(
                AnnotatedClassWithFinalMethod.class,
                Kind.INTERCEPTION,
                ex -> assertThat(ex).hasMessageContaining("final"));
    }

    @Test
    void aFinalClassIsRefused() {
        assertRefused(FinalClass.class, Kind.INTERCEPTION, ex -> assertThat(ex).hasMessageContaining("class is final"));
    }

    @Test
    void aBeanThatIsMadeTooEarlyForItsProxyIsRefused() {
        assertRefused(TooEarly.class, Kind.INTERCEPTION, ex -> assertThat(ex).hasMessageContaining("too early"));
    }

    @Test
    void anExpressionThatCannotBeParsedIsRefused() {
        assertRefused(UnparsableKey.class, Kind.KEY, ex -> {
            assertThat(ex.attribute()).isEqualTo("key");
            assertThat(ex.value()).isEqualTo("#id +");
        });
    }

    @Test
    void aPlaceholderInTheTextOfAKeyIsRefused() {
        assertRefused(
                PlaceholderInKey.class,
                Kind.KEY,
                ex -> assertThat(ex)
                        .hasMessageContaining("'${tenant}:'")
                        .hasMessageContaining("A key has no placeholders"));
    }

    @Test
    void aMissingKeyIsRefused() {
        assertRefused(MissingKey.class, Kind.KEY, ex -> assertThat(ex).hasMessageContaining("there is no key"));
    }

    @Test
    void anUnknownLockerIsRefused() {
        assertRefused(UnknownLocker.class, Kind.LOCKER, ex -> {
            assertThat(ex.value()).isEqualTo("biling");
            assertThat(ex).hasMessageContaining("[billing, default]").hasMessageContaining("lock.lockers.biling");
            assertThat(ex.bean()).contains("UnknownLocker");
        });
    }

    @Test
    void anUnknownLockerOfALazyBeanIsRefusedWhenItIsMade() {
        LockedContext.with(LazyUnknownLocker.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(catchThrowable(() -> context.getBean(LazyUnknownLocker.class)))
                    .satisfies(Refusals.rootOfKind(Kind.LOCKER));
        });
    }

    @Test
    void aSkippedPrimitiveIsRefused() {
        assertRefused(SkippedPrimitive.class, Kind.RESULT, ex -> assertThat(ex).hasMessageContaining("int"));
    }

    @Test
    void aSkippedPrimitiveWithAFallbackForTheStoreOnlyIsRefused() {
        assertRefused(
                SkippedPrimitiveWithStoreFallback.class,
                Kind.RESULT,
                ex -> assertThat(ex.attribute()).isEqualTo("onFailure"));
    }

    @Test
    void aSkippedPrimitiveWithAFallbackStarts() {
        LockedContext.with(SkippedPrimitiveWithFallback.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aFutureIsRefused() {
        assertRefused(
                ReturnsFuture.class,
                Kind.RESULT,
                ex -> assertThat(ex).hasMessageContaining("java.util.concurrent.Future"));
    }

    @Test
    void aFluxInAFluxIsRefusedByBothNames() {
        assertRefused(
                ReturnsFluxOfFlux.class,
                Kind.RESULT,
                ex -> assertThat(ex)
                        .hasMessageContaining("a reactor.core.publisher.Flux in a reactor.core.publisher.Flux,"));
    }

    @Test
    void aCallableIsRefused() {
        assertRefused(
                ReturnsCallable.class,
                Kind.RESULT,
                ex -> assertThat(ex).hasMessageContaining("java.util.concurrent.Callable"));
    }

    @Test
    void aPublisherIsRefused() {
        assertRefused(
                ReturnsPublisher.class,
                Kind.RESULT,
                ex -> assertThat(ex).hasMessageContaining("org.reactivestreams.Publisher"));
    }

    @Test
    void aFlowPublisherIsRefused() {
        assertRefused(
                ReturnsFlowPublisher.class, Kind.RESULT, ex -> assertThat(ex).hasMessageContaining("Flow$Publisher"));
    }

    @Test
    void durationsThatContradictEachOtherAreRefused() {
        assertRefused(ContradictoryTerms.class, Kind.TERMS, ex -> {
            assertThat(ex.attribute()).isEqualTo("maxHoldTime");
            assertThat(ex).hasMessageContaining("PT5S").hasMessageContaining("PT30S");
        });
    }

    @Test
    void aNegativeWaitTimeIsRefused() {
        assertRefused(
                NegativeWaitTime.class,
                Kind.TERMS,
                ex -> assertThat(ex).hasMessageContaining("waitTime").hasMessageContaining("PT-1S"));
    }

    @Test
    void aDurationThatIsNoneIsRefused() {
        assertRefused(NoDuration.class, Kind.TERMS, ex -> {
            assertThat(ex.attribute()).isEqualTo("ttl");
            assertThat(ex.value()).isEqualTo("soon");
        });
    }

    @Test
    void aDurationWithoutUnitIsRefused() {
        assertRefused(NoUnit.class, Kind.TERMS, ex -> {
            assertThat(ex.attribute()).isEqualTo("ttl");
            assertThat(ex).hasMessageContaining("'30' has no unit").hasMessageContaining("\"30s\"");
        });
    }

    /** Other libraries have -1 for a lock that is renewed. A unit would not make it a duration. */
    @Test
    void aNegativeNumberIsRefused() {
        assertRefused(NegativeNumber.class, Kind.TERMS, ex -> {
            assertThat(ex.attribute()).isEqualTo("ttl");
            assertThat(ex)
                    .hasMessageContaining("'-1' is negative")
                    .hasMessageContaining("Leave it out for the value of the locker")
                    .hasMessageNotContaining("-1s");
        });
    }

    @Test
    void aSwitchThatIsNeitherOnNorOffIsRefused() {
        assertRefused(
                NoSwitch.class, Kind.TERMS, ex -> assertThat(ex.attribute()).isEqualTo("autoRenew"));
    }

    @Test
    void aPlaceholderWithoutAValueIsRefused() {
        assertRefused(NoPlaceholder.class, Kind.TERMS, ex -> assertThat(ex).hasMessageContaining("my.ttl"));
    }

    @Test
    void aFallbackThatIsNotThereIsRefused() {
        assertRefused(
                NoFallback.class, Kind.FALLBACK, ex -> assertThat(ex.value()).isEqualTo("instead"));
    }

    @Test
    void aFallbackWithAnotherResultIsRefused() {
        assertRefused(
                UnfitFallback.class,
                Kind.FALLBACK,
                ex -> assertThat(ex).hasMessageContaining("returns int where work returns String"));
    }

    @ParameterizedTest
    @ValueSource(classes = {LockedFallback.class, SingleFallback.class})
    void aFallbackWithALockOfItsOwnIsRefused(Class<?> bean) {
        assertRefused(
                bean,
                Kind.FALLBACK,
                ex -> assertThat(ex)
                        .hasMessageContaining(bean.getSimpleName() + ".work(String)")
                        .hasMessageContaining(bean.getSimpleName() + ".instead(String)")
                        .hasMessageContaining("injected Locker"));
    }

    @Test
    void aMethodOutsideOfTheInterfacesOfAProxyIsRefused() {
        LockedContext.withInterfaceProxies(NotInTheInterface.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOfSatisfying(
                                LockDeclarationException.class,
                                ex -> assertThat(ex).hasMessageContaining("none of the interfaces")));
    }

    @Test
    void whereClassesAreWovenAnAnnotationThatTheWeaverDoesNotSeeIsRefused() {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, ByInterface.class)
                .run(context -> {
                    assertThat(context.getStartupFailure())
                            .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                            .rootCause()
                            .hasMessageContaining("the weaver does not see it");
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {NightlyMethod.class, NightlyClass.class})
    void whereClassesAreWovenAnAnnotationThatIsComposedTwiceIsRefused(Class<?> configuration) {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, configuration)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasMessageContaining("its annotation is composed of one that is itself composed"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Sound.class, TooEarly.class, SoundFactory.class})
    void whereClassesAreWovenAClassThatIsNotIsRefused(Class<?> configuration) {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, configuration)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasMessageContaining("AspectJ has not woven its class"));
    }

    /** As ajc does for transactions with {@code AdviceMode.ASPECTJ}. */
    @ParameterizedTest
    @ValueSource(classes = {WovenForTransactions.class, WovenWithOtherLetters.class})
    void whereClassesAreWovenAClassThatIsWovenForAnotherAspectIsRefused(Class<?> configuration) {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, configuration)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                        .hasMessageContaining("AspectJ has not woven its class"));
    }

    @Test
    void whereClassesAreWovenAClassThatIsWovenForTheLockIsNotRefused() {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, WovenForLock.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whereClassesAreWovenASuspendingFunctionIsRefused() {
        new ApplicationContextRunner()
                .withUserConfiguration(Woven.class, Suspending.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .satisfies(Refusals.rootOfKind(Kind.INTERCEPTION))
                        .rootCause()
                        .hasMessageContaining("Suspending.work(String, Continuation)")
                        .hasMessageContaining("it is a suspending function"));
    }

    @Test
    void aBrokenPrototypeStopsTheStart() {
        LockedContext.with(BrokenPrototype.class)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.ofKind(Kind.KEY)));
    }

    @ParameterizedTest
    @ValueSource(classes = {LazyInfrastructure.class, LazyAspect.class})
    void aLazyBeanThatIsNotProxiedIsRefusedWhenItIsMade(Class<?> bean) {
        LockedContext.with(bean).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(catchThrowable(() -> context.getBean(bean))).satisfies(Refusals.rootOfKind(Kind.INTERCEPTION));
        });
    }

    @Test
    void aFactoryThatIsMadeTooEarlyForItsProxyIsRefused() {
        assertRefused(
                EarlyFactory.class,
                Kind.INTERCEPTION,
                ex -> assertThat(ex.bean()).isEqualTo("early"));
    }

    @Test
    void theProductOfAFactoryIsLookedAt() {
        assertRefused(
                BrokenFactory.class, Kind.LOCKER, ex -> assertThat(ex.bean()).isEqualTo("broken"));
    }

    /** The weaver may have made the body for another aspect. */
    @Test
    void theCheckOfOtherContextsAcceptsOnlyMethodsWhoseAnnotationTheWeaverSees() {
        UninterceptedMethodCheck check = UninterceptedMethodCheck.ofWeaving("is not woven", "Weave it");
        check.requireNone(WovenForLock.class, "woven");
        assertThatThrownBy(() -> check.requireNone(WovenWithoutAnnotation.class, "unseen"))
                .isInstanceOf(LockDeclarationException.class)
                .hasMessageContaining("is not woven");
    }

    @Test
    void aScopedProxyIsNotTakenForAnUnproxiedBean() {
        LockedContext.with(ScopedBean.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean("scoped", Sound.class).work("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("a");
        });
    }

    private static void assertRefused(Class<?> bean, Kind kind, Consumer<LockDeclarationException> requirements) {
        LockedContext.with(bean).run(context -> {
            Throwable failure = context.getStartupFailure();
            while (failure != null && failure.getCause() != null && !(failure instanceof LockDeclarationException)) {
                failure = failure.getCause();
            }
            assertThat(failure).isInstanceOfSatisfying(LockDeclarationException.class, ex -> {
                assertThat(ex.kind()).isEqualTo(kind);
                assertThat(ex.bean()).isNotNull();
                assertThat(ex.nextStep()).isNotBlank();
                requirements.accept(ex);
            });
        });
    }

    static class Sound {

        @DistributedLock("#key")
        public void work(String key) {}
    }

    static class PrivateMethod {

        @DistributedLock("#key")
        private void work(String key) {}
    }

    static class StaticMethod {

        @DistributedLock("#key")
        static void work(String key) {}
    }

    static class FinalMethod {

        @DistributedLock("#key")
        public final void work(String key) {}
    }

    @DistributedLock("#root.methodName")
    static class AnnotatedClassWithFinalMethod {

        public final void work() {}
    }

    static final class FinalClass {

        @DistributedLock("#key")
        public void work(String key) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class TooEarly {

        @Bean
        static BeanFactoryPostProcessor needsABean() {
            return beanFactory -> beanFactory.getBean("early");
        }

        @Bean
        static Sound early() {
            return new Sound();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyFactory {

        @Bean
        static BeanFactoryPostProcessor needsABean() {
            return beanFactory -> beanFactory.getBean("early");
        }

        @Bean
        static Factory early() {
            return new Factory();
        }
    }

    static class Factory implements FactoryBean<String> {

        @DistributedLock("#key")
        public void work(String key) {}

        @Override
        public String getObject() {
            return "product";
        }

        @Override
        public Class<?> getObjectType() {
            return String.class;
        }
    }

    @Lazy
    static class LazyInfrastructure implements AopInfrastructureBean {

        @DistributedLock("#key")
        public void work(String key) {}
    }

    @Lazy
    @Aspect
    static class LazyAspect {

        @DistributedLock("#key")
        public void work(String key) {}
    }

    static class UnparsableKey {

        @DistributedLock("#id +")
        public void work(String id) {}
    }

    static class MissingKey {

        @DistributedLock(locker = "billing")
        public void work(String id) {}
    }

    static class UnknownLocker {

        @DistributedLock(key = "#id", locker = "biling")
        public void work(String id) {}
    }

    @Lazy
    @Configuration(proxyBeanMethods = false)
    static class LazyUnknownLocker {

        @DistributedLock(key = "#id", locker = "biling")
        public void work(String id) {}
    }

    static class SkippedPrimitive {

        @DistributedLock(key = "#id", onFailure = OnFailure.SKIP)
        public int work(String id) {
            return 1;
        }
    }

    static class SkippedPrimitiveWithStoreFallback {

        @DistributedLock(key = "#id", onFailure = OnFailure.SKIP, fallbackMethod = "instead")
        public int work(String id) {
            return 1;
        }

        private int instead(String id, LockBackendException failure) {
            return 2;
        }
    }

    static class SkippedPrimitiveWithFallback {

        @DistributedLock(key = "#id", onFailure = OnFailure.SKIP, fallbackMethod = "instead")
        public int work(String id) {
            return 1;
        }

        private int instead(String id) {
            return 2;
        }
    }

    static class PlaceholderInKey {

        @DistributedLock("'${tenant}:' + #id")
        public void work(String id) {}
    }

    static class ReturnsFluxOfFlux {

        @DistributedLock("#id")
        public Flux<Flux<Integer>> work(String id) {
            return Flux.empty();
        }
    }

    static class ReturnsFuture {

        @DistributedLock("#id")
        public Future<String> work(String id) {
            throw new AssertionError();
        }
    }

    static class ReturnsCallable {

        @DistributedLock("#id")
        public Callable<String> work(String id) {
            throw new AssertionError();
        }
    }

    static class ReturnsPublisher {

        @DistributedLock("#id")
        public Publisher<String> work(String id) {
            throw new AssertionError();
        }
    }

    static class ReturnsFlowPublisher {

        @DistributedLock("#id")
        public Flow.Publisher<String> work(String id) {
            throw new AssertionError();
        }
    }

    static class ContradictoryTerms {

        @DistributedLock(key = "#id", ttl = "30s", maxHoldTime = "5s")
        public void work(String id) {}
    }

    static class NegativeWaitTime {

        @DistributedLock(key = "#id", waitTime = "-1s")
        public void work(String id) {}
    }

    static class NoDuration {

        @DistributedLock(key = "#id", ttl = "soon")
        public void work(String id) {}
    }

    static class NoUnit {

        @DistributedLock(key = "#id", ttl = "30")
        public void work(String id) {}
    }

    static class NegativeNumber {

        @DistributedLock(key = "#id", ttl = "-1")
        public void work(String id) {}
    }

    static class NoSwitch {

        @DistributedLock(key = "#id", autoRenew = "maybe")
        public void work(String id) {}
    }

    static class NoPlaceholder {

        @DistributedLock(key = "#id", ttl = "${my.ttl}")
        public void work(String id) {}
    }

    static class NoFallback {

        @DistributedLock(key = "#id", fallbackMethod = "instead")
        public void work(String id) {}

        void instead(int id) {}
    }

    static class UnfitFallback {

        @DistributedLock(key = "#id", fallbackMethod = "instead")
        public String work(String id) {
            return id;
        }

        int instead(String id) {
            return 1;
        }
    }

    static class LockedFallback {

        @DistributedLock(key = "#id", waitTime = "0", fallbackMethod = "instead")
        public String work(String id) {
            return id;
        }

        @DistributedLock("'queue'")
        public String instead(String id) {
            return id;
        }
    }

    static class SingleFallback {

        @DistributedLock(key = "#id", waitTime = "0", fallbackMethod = "instead")
        public void work(String id) {}

        @SingleInstance(key = "'queue'", minHoldTime = "1s")
        public void instead(String id) {}
    }

    interface AnnotatedService {

        @DistributedLock("#key")
        void work(String key);
    }

    static class ByInterface implements AnnotatedService {

        @Override
        public void work(String key) {}
    }

    static class Suspending {

        @DistributedLock("#key")
        public Object work(String key, Continuation<? super Unit> continuation) {
            return Unit.INSTANCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Woven {

        @Bean
        RecordingLockerRegistry lockers() {
            return new RecordingLockerRegistry(new RecordingLocker("default"));
        }

        @Bean
        static DistributedLockValidator validator(ConfigurableListableBeanFactory beanFactory) {
            return new DistributedLockValidator(new LockSpecs(text -> text), beanFactory, true);
        }
    }

    /** With the method that AspectJ's compiler generates for the advice of any aspect. */
    static class WovenForTransactions {

        @DistributedLock("#key")
        public void work(String key) {
            work_aroundBody0(this, key);
        }

        static void work_aroundBody0(WovenForTransactions self, String key) {}
    }

    /** The class file encodes letters beyond ASCII in several bytes. */
    static class WovenWithOtherLetters {

        @DistributedLock("#key")
        public void prüfe(String key) {
            prüfe_aroundBody0(this, key);
        }

        static void prüfe_aroundBody0(WovenWithOtherLetters self, String key) {}
    }

    /** With the method and the reference that AspectJ's compiler generates for the advice of the lock. */
    static class WovenForLock {

        @DistributedLock("#key")
        public void work(String key) {
            work_aroundBody0(this, key);
        }

        static void work_aroundBody0(WovenForLock self, String key) {
            new WovenDistributedLockAspect();
        }
    }

    interface LockedByInterface {

        @DistributedLock("#key")
        void work(String key);
    }

    static class WovenWithoutAnnotation implements LockedByInterface {

        @Override
        public void work(String key) {
            work_aroundBody0(this, key);
        }

        static void work_aroundBody0(WovenWithoutAnnotation self, String key) {
            new WovenDistributedLockAspect();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'job'")
    @interface Job {}

    @Retention(RetentionPolicy.RUNTIME)
    @Job
    @interface Nightly {}

    static class NightlyMethod {

        @Nightly
        public void run() {}
    }

    @Nightly
    static class NightlyClass {

        public void run() {}
    }

    interface Service {
        void other();
    }

    static class NotInTheInterface implements Service {

        @Override
        public void other() {}

        @DistributedLock("#id")
        public void work(String id) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class BrokenPrototype {

        @Bean
        @Scope("prototype")
        MissingKey broken() {
            return new MissingKey();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BrokenFactory {

        @Bean
        static FactoryBean<UnknownLocker> broken() {
            return new FactoryBean<>() {

                @Override
                public UnknownLocker getObject() {
                    return new UnknownLocker();
                }

                @Override
                public Class<?> getObjectType() {
                    return UnknownLocker.class;
                }
            };
        }

        @Bean
        Object user(UnknownLocker broken) {
            return "uses it";
        }
    }

    static class SoundFactory implements SmartFactoryBean<Sound> {

        @Override
        public Sound getObject() {
            return new Sound();
        }

        @Override
        public Class<?> getObjectType() {
            return Sound.class;
        }

        @Override
        public boolean isEagerInit() {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedBean {

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Sound scoped() {
            return new Sound();
        }
    }
}
