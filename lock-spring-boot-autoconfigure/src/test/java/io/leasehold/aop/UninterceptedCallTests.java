package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.elsewhere.BaseOfAnotherPackage;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import jakarta.annotation.PostConstruct;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;

/** Locked methods with calls that no proxy intercepts. */
@ExtendWith(OutputCaptureExtension.class)
class UninterceptedCallTests {

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfAnotherPackage.class,
                WithInitMethod.class,
                WithDestroyMethod.class,
                WithInferredDestroyMethod.class,
                WithInferredShutdownMethod.class,
                WithInjectedMethod.class,
                WithInjectedValue.class,
                WithAwareMethod.class,
                WithAwareMethodOfTheContext.class,
                WithStopOfSmartLifecycle.class
            })
    void theStartFails(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.INTERCEPTION)));
    }

    /** A factory creates its object at the first request, and the object is validated then. */
    @Test
    void thePrivateMethodOfAnObjectOfAFactoryIsRefused() {
        LockedContext.with(FactoryOfPrivateMethod.class, Users.class)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.INTERCEPTION)));
    }

    @Test
    void aMethodThatOnlyIsCalledLikeAnInitMethodIsLocked() {
        LockedContext.with(WithoutNamedMethods.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Loader.class).load();
            context.getBean(Loader.class).shutdown();
            context.getBean(Closeable.class).close();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("key", "key", "key");
        });
    }

    @Test
    void theLifecycleOfAnAnnotatedTypeIsNotRefused() {
        LockedContext.with(WithLifecycle.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(WithLifecycle.class).own();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("key");
        });
    }

    @Test
    void methodsThatAnAnnotatedTypeInheritsAreReported(CapturedOutput output) {
        LockedContext.with(Inheriting.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("WARN")
                .contains("Inheriting")
                .contains("UninterceptedCallTests$Plain.inherited()")
                .contains("UninterceptedCallTests$PlainInterface.byDefault()")
                .doesNotContain("Plain.overridden()")
                .doesNotContain("own()");
    }

    @Test
    void methodsOfAnAnnotatedTypeThatAreNotPublicAreReported(CapturedOutput output) {
        LockedContext.with(NotOnlyPublic.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(NotOnlyPublic.class).job();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requests)
                    .isEmpty();
        });
        assertThat(output)
                .contains("WARN")
                .contains("UninterceptedCallTests$NotOnlyPublic.job(), ")
                .contains("UninterceptedCallTests$NotOnlyPublic.step()]");
    }

    @Test
    void methodsOfObjectThatAnAnnotatedTypeOverridesAreNotReported(CapturedOutput output) {
        LockedContext.with(WithText.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(WithText.class));
        assertThat(output).doesNotContain("toString()");
    }

    @Test
    void aStepThatAnInheritedMethodCallsIsReported(CapturedOutput output) {
        LockedContext.with(OwnTemplate.class, FilterOfLibrary.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(OwnTemplate.class).run("a");
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requests)
                    .isEmpty();
        });
        assertThat(output)
                .contains("@DistributedLock on " + OwnTemplate.class.getName()
                        + ".step(String) has no effect if it is called by " + Template.class.getName()
                        + ", where it is protected")
                .contains("has no effect if it is called by " + OncePerRequestFilter.class.getName());
    }

    /** A final method runs on the proxy. */
    @Test
    void aStepThatAFinalMethodCallsIsLocked(CapturedOutput output) {
        LockedContext.with(StepOfFinalTemplate.class).run(context -> {
            context.getBean(StepOfFinalTemplate.class).run();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requests)
                    .hasSize(1);
        });
        assertThat(output).doesNotContain("has no effect if it is called by");
    }

    abstract static class Template<T> {

        public void run(T item) {
            step(item);
        }

        protected abstract void step(T item);
    }

    static class OwnTemplate extends Template<String> {

        @Override
        @DistributedLock("#item")
        protected void step(String item) {}
    }

    static class FilterOfLibrary extends OncePerRequestFilter {

        @Override
        @DistributedLock("'key'")
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {}
    }

    abstract static class FinalTemplate {

        public final void run() {
            step();
        }

        protected abstract void step();
    }

    static class StepOfFinalTemplate extends FinalTemplate {

        @Override
        @DistributedLock("'key'")
        protected void step() {}
    }

    static class OfAnotherPackage extends BaseOfAnotherPackage {}

    @DistributedLock("'key'")
    abstract static class NotPublicEither {

        void job() {}

        protected abstract void step();
    }

    static class NotOnlyPublic extends NotPublicEither {

        public void own() {}

        @Override
        void job() {}

        @Override
        protected void step() {}

        @DistributedLock("'another'")
        void annotated() {}

        private void detail() {}
    }

    @DistributedLock("'key'")
    static class WithText {

        public void own() {}

        @Override
        public String toString() {
            return "text";
        }
    }

    static class WithStopOfSmartLifecycle implements SmartLifecycle {

        @Override
        public void start() {}

        @Override
        @DistributedLock("'key'")
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static class Loader implements AutoCloseable {

        @DistributedLock("'key'")
        public void load() {}

        @DistributedLock("'key'")
        public void shutdown() {}

        @Override
        public void close() {}
    }

    static class Closeable implements AutoCloseable {

        @Override
        @DistributedLock("'key'")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutNamedMethods {

        @Bean
        Loader loader() {
            return new Loader();
        }

        @Bean(destroyMethod = "")
        Closeable closedByTheApplication() {
            return new Closeable();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithInitMethod {

        @Bean(initMethod = "load")
        Loader loader() {
            return new Loader();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithDestroyMethod {

        @Bean(destroyMethod = "load")
        Loader loader() {
            return new Loader();
        }
    }

    static class WithInferredDestroyMethod implements AutoCloseable {

        @Override
        @DistributedLock("'key'")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithInferredShutdownMethod {

        @Bean
        Stoppable stoppable() {
            return new Stoppable();
        }
    }

    static class Stoppable {

        @DistributedLock("'key'")
        public void shutdown() {}
    }

    static class WithInjectedMethod {

        @Autowired
        @DistributedLock("'key'")
        public void use(ApplicationContext context) {}
    }

    static class WithInjectedValue {

        @Value("${user.name:}")
        @DistributedLock("'key'")
        public void use(String user) {}
    }

    static class WithAwareMethod implements BeanNameAware {

        @Override
        @DistributedLock("'key'")
        public void setBeanName(String name) {}
    }

    static class WithAwareMethodOfTheContext implements ApplicationContextAware {

        @Override
        @DistributedLock("'key'")
        public void setApplicationContext(ApplicationContext context) {}
    }

    interface PlainInterface {

        default void byDefault() {}
    }

    static class Plain {

        public void inherited() {}

        public void overridden() {}

        void notPublic() {}
    }

    @DistributedLock("'key'")
    static class Inheriting extends Plain implements PlainInterface {

        @Override
        public void overridden() {}

        public void own() {}
    }

    @DistributedLock("'key'")
    static class WithLifecycle implements InitializingBean, DisposableBean, AutoCloseable {

        @PostConstruct
        public void begin() {}

        @Override
        public void afterPropertiesSet() {}

        @Override
        public void destroy() {}

        @Override
        public void close() {}

        public void own() {}
    }

    static class PrivateMethod {

        @DistributedLock("'key'")
        public void run() {
            hidden();
        }

        @DistributedLock("'key'")
        private void hidden() {}
    }

    static class FactoryOfPrivateMethod implements FactoryBean<PrivateMethod> {

        @Override
        public PrivateMethod getObject() {
            return new PrivateMethod();
        }

        @Override
        public Class<?> getObjectType() {
            return PrivateMethod.class;
        }
    }

    static class Users {

        @Autowired
        void use(PrivateMethod product) {}
    }
}
