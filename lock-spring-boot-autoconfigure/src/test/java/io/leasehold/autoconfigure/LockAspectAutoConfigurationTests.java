package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.Locker;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.DistributedLockAdvisor;
import io.leasehold.aop.DistributedLockAspect;
import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** Whether annotated methods run under their locks. */
@ExtendWith(OutputCaptureExtension.class)
class LockAspectAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory")
            .withBean(Work.class);

    @Test
    void annotatedMethodsAreLocked() {
        runner.run(
                context -> assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void annotatedMethodsAreLockedBesideTheAspectsOfTheApplication() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @Test
    void annotatedMethodsAreLockedWithoutAutomaticAspects() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues("spring.aop.auto=false")
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    /** As in a slice, which has no auto-configuration of aspects: proxies are of the same kind as in the application. */
    @ParameterizedTest
    @CsvSource({
        "spring.aop.auto=true, true",
        "spring.aop.auto=false, true",
        "spring.aop.proxy-target-class=false, false"
    })
    void proxiesAreOfTheKindThatSpringBootMakes(String property, boolean ofClasses) {
        ApplicationContextRunner locked =
                runner.withPropertyValues(property).withBean("sized", Sized.class, LockedSize::new);
        for (ApplicationContextRunner each :
                List.of(locked, locked.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class)))) {
            each.run(context -> {
                assertThat(AopUtils.isCglibProxy(context.getBean("sized"))).isEqualTo(ofClasses);
                assertThat(context.getBean(Sized.class).size()).isEqualTo(1);
            });
        }
    }

    /** The application decides itself. */
    @Test
    void theProxiesOfTheApplicationStayOfTheirKind() {
        runner.withPropertyValues("spring.aop.auto=false")
                .withUserConfiguration(OwnProxies.class)
                .withBean("sized", Sized.class, LockedSize::new)
                .run(context -> assertThat(AopUtils.isJdkDynamicProxy(context.getBean("sized")))
                        .isTrue());
    }

    @Test
    void theOrderIsJustOutsideOfTransactionsUnlessItIsSet() {
        runner.run(context -> assertThat(
                        context.getBean(DistributedLockAdvisor.class).getOrder())
                .isEqualTo(DistributedLockAdvisor.DEFAULT_ORDER));
        runner.withPropertyValues("lock.aspect.order=7")
                .run(context -> assertThat(
                                context.getBean(DistributedLockAdvisor.class).getOrder())
                        .isEqualTo(7));
    }

    @ParameterizedTest
    @CsvSource({
        "lock.enabled, yes",
        "lock.enabled, on",
        "lock.enabled, 1",
        "lock.enabled, TRUE",
        "lock.aspect.enabled, yes"
    })
    void annotatedMethodsAreLockedInEverySpellingOfTrue(String property, String value) {
        runner.withConfiguration(AutoConfigurations.of(LockDisabledAutoConfiguration.class))
                .withPropertyValues(property + "=" + value)
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @ParameterizedTest
    @CsvSource({"lock.enabled, flase", "lock.enabled, ''", "lock.aspect.enabled, of", "lock.metrics.enabled, 2"})
    void aSwitchThatIsNeitherOnNorOffStopsTheStart(String property, String value) {
        FailureAnalysis analysis = StartFailures.of(runner.withConfiguration(
                        AutoConfigurations.of(LockDisabledAutoConfiguration.class, LockMetricsAutoConfiguration.class))
                .withPropertyValues(property + "=" + value));

        assertThat(analysis.getDescription()).startsWith("'" + property + "' must be true or false: '" + value + "'.");
        assertThat(analysis.getAction()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "off", "0", "False"})
    void locksThatAreSwitchedOffInAnySpellingNeedADecision(String value) {
        FailureAnalysis analysis =
                StartFailures.of(runner.withConfiguration(AutoConfigurations.of(LockDisabledAutoConfiguration.class))
                        .withPropertyValues("lock.enabled=" + value));

        assertThat(analysis.getDescription()).startsWith("'lock.disabled-mode' must be set");
    }

    @Test
    void anAspectThatIsSwitchedOffIsWarnedOf(CapturedOutput output) {
        runner.withPropertyValues("lock.aspect.enabled=no")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("'lock.aspect.enabled' is false: methods with @DistributedLock run without a lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"proxy", "PROXY", "Proxy"})
    void theModeIsReadAsEveryProperty(String mode) {
        runner.withPropertyValues("lock.aspect.mode=" + mode)
                .run(context ->
                        assertThat(context.getBean(Work.class).lockedKey()).isEqualTo("work"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"aspectj", "aspect-j", "ASPECT_J", "AspectJ"})
    void theModeOfTheWeaverIsNotTakenForNone(String mode) {
        runner.withPropertyValues("lock.aspect.mode=" + mode)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContaining("'lock.aspect.mode' needs load-time weaving"));
    }

    @Test
    void anUnknownModeStopsTheStartAlsoOfLazyApplications() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("lock.aspect.mode=proxi")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("lock.aspect.mode"));
    }

    @Test
    void theModeOfTheWeaverWithoutAspectJStopsTheStart() {
        runner.withClassLoader(new FilteredClassLoader("org.aspectj"))
                .withPropertyValues("lock.aspect.mode=aspectj")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("lock.aspect.mode")
                        .hasStackTraceContaining("not on the class path"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LockAutoConfiguration.class,
                LockDisabledAutoConfiguration.class,
                LockedMethodCheckAutoConfiguration.class
            })
    void annotatedMethodsThatNothingInterceptsStopTheStart(Class<?> onlyAutoConfiguration) {
        boolean disabled = onlyAutoConfiguration == LockDisabledAutoConfiguration.class;
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(onlyAutoConfiguration))
                .withPropertyValues("lock.backend=memory", "lock.enabled=" + !disabled, "lock.disabled-mode=fail")
                .withBean(Work.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(LockDeclarationException.class)
                        .hasMessageContaining("would run without its lock"));
    }

    @Test
    void anApplicationWithoutAnnotatedMethodsStartsWithoutTheAspect() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Locker.class));
    }

    @Test
    void annotatedMethodsRunWithoutTheAspectIfThatIsSaid() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class))
                .withPropertyValues("lock.backend=memory", "lock.aspect.enabled=false")
                .withBean(Work.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void nothingIsInterceptedWhenSwitchedOff() {
        runner.withPropertyValues("lock.aspect.enabled=false").run(context -> {
            assertThat(context).doesNotHaveBean(DistributedLockAspect.class).hasSingleBean(Locker.class);
            assertThat(AopUtils.isAopProxy(context.getBean(Work.class))).isFalse();
        });
    }

    @Test
    void locksThatAreOnAreNotWarnedOf(CapturedOutput output) {
        runner.withConfiguration(AutoConfigurations.of(LockDisabledAutoConfiguration.class))
                .run(context -> assertThat(output).doesNotContain("'lock.enabled' is false"));
    }

    @Test
    void thereIsNoAspectWithoutLockers() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LockAspectAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(DistributedLockAspect.class));
    }

    @Test
    void aMethodThatCannotBeLockedStopsTheStart() {
        runner.withBean(FinalWork.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(LockDeclarationException.class)
                        .hasMessageContaining("final"));
    }

    @Test
    void anUnknownLockerStopsTheStart() {
        runner.withBean(MisledWork.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(LockDeclarationException.class)
                        .hasMessageContaining("lock.lockers.biling"));
    }

    @Test
    void transactionManagersLookAtTheLocksBeforeTheyCommit() {
        runner.withBean(
                        DataSourceTransactionManager.class,
                        () -> new DataSourceTransactionManager(new SimpleDriverDataSource()))
                .run(context -> assertThat(context.getBean(DataSourceTransactionManager.class)
                                .getTransactionExecutionListeners())
                        .singleElement()
                        .extracting(Object::getClass)
                        .extracting(Class::getSimpleName)
                        .isEqualTo("HeldCheck"));
    }

    /** Also those of injected lockers, without the aspect. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reactiveTransactionsLookAtTheLocksBeforeTheyCommit(boolean aspect) {
        runner.withPropertyValues("lock.aspect.enabled=" + aspect)
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withUserConfiguration(Transactions.class)
                .run(context -> assertThat(context.getBean(BeanFactoryTransactionAttributeSourceAdvisor.class)
                                .getAdvice())
                        .isSameAs(context.getBean(TransactionInterceptor.class))
                        .extracting(Object::getClass)
                        .extracting(Class::getSimpleName)
                        .isEqualTo("GuardedTransactionInterceptor"));
    }

    @Test
    void theStartIsSilentAboutBeansThatAreMadeEarly(CapturedOutput output) {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("not eligible for getting processed");
                });
    }

    /** A post-processor that needs configuration properties, such as that of Spring AI, needs what binds them. */
    @Test
    void theStartIsSilentAboutBeansThatOtherPostProcessorsNeed(CapturedOutput output) {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withUserConfiguration(BindingPostProcessor.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("not eligible for getting processed");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class BindingPostProcessor {

        @Bean
        static BeanPostProcessor bindingPostProcessor(ConfigurationPropertiesBindHandlerAdvisor binding) {
            return new BeanPostProcessor() {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Transactions {}

    public static class FinalWork {

        @DistributedLock(key = "'work'")
        public final void work() {}
    }

    public static class MisledWork {

        @DistributedLock(key = "'work'", locker = "biling")
        public void work() {}
    }

    public static class Work {

        @DistributedLock(key = "'work'")
        public String lockedKey() {
            return LockContext.current().orElseThrow().key();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy
    static class OwnProxies {}

    interface Sized {

        int size();
    }

    static class LockedSize implements Sized {

        @Override
        @DistributedLock("'size'")
        public int size() {
            return LockContext.current().isPresent() ? 1 : 0;
        }
    }
}
