package io.leasehold.autoconfigure.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.autoconfigure.LockAspectAutoConfiguration;
import io.leasehold.autoconfigure.LockAutoConfiguration;
import io.leasehold.autoconfigure.StartFailures;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The texts for lockers that are not there, and for annotations that cannot work. */
class LockerFailureAnalyzerTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAspectAutoConfiguration.class))
            .withPropertyValues("lock.backend=memory", "lock.lockers.deploy.ttl=30s");

    @Test
    void aQualifierThatNoLockerHas() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(WrongQualifier.class));

        assertThat(analysis.getDescription())
                .startsWith("There is no locker 'depoly' for ")
                .endsWith("There are the beans deployLocker, defaultLocker.");
        assertThat(analysis.getAction())
                .isEqualTo("Did you mean 'deploy'? Otherwise add 'lock.lockers.depoly' to the configuration.");
    }

    /** The failures of all beans between contain that of the locker. */
    @Test
    void aQualifierOfADependencyThatNoLockerHas() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(NeedsWrongQualifier.class));

        assertThat(analysis.getDescription()).startsWith("There is no locker 'depoly' for ");
        assertThat(analysis.getAction())
                .isEqualTo("Did you mean 'deploy'? Otherwise add 'lock.lockers.depoly' to the configuration.");
    }

    @Test
    void aParameterOfADependencyThatNamesNoLocker() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(NeedsMistypedName.class));

        assertThat(analysis.getDescription()).startsWith("'depolyLocker', to be injected into ");
        assertThat(analysis.getAction()).startsWith("Call it 'deployLocker', or add a @Qualifier");
    }

    @Test
    void aParameterThatNamesNoLocker() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(MistypedName.class));

        assertThat(analysis.getDescription())
                .startsWith("'depolyLocker', to be injected into ")
                .endsWith(" names none of the lockers. There are the beans deployLocker, defaultLocker.");
        assertThat(analysis.getAction()).startsWith("Call it 'deployLocker', or add a @Qualifier");
    }

    @Test
    void aParameterThatIsCalledLikeTheLockerAndNotLikeItsBean() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(ShortName.class));

        assertThat(analysis.getDescription()).contains("'deploy'").contains("names none of the lockers");
        assertThat(analysis.getAction()).startsWith("Call it 'deployLocker'");
    }

    @Test
    void aParameterThatIsJustALocker() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(AnyLocker.class));

        assertThat(analysis.getDescription()).contains("names none of the lockers");
        assertThat(analysis.getAction()).contains("For the locker 'default' that is 'defaultLocker'.");
    }

    @Test
    void anotherBeanWithTheNameOfALockersBean() {
        FailureAnalysis analysis = StartFailures.of(runner.withBean("deployLocker", String.class, () -> "no locker"));

        assertThat(analysis.getDescription())
                .isEqualTo(
                        "'lock.lockers.deploy' has the bean 'deployLocker', and the application has a bean of that name"
                                + " that is a java.lang.String.");
        assertThat(analysis.getAction()).isEqualTo("Rename the bean or the locker.");
    }

    @Test
    void noAutoConfigurationAsInATestOfASlice() {
        FailureAnalysis analysis =
                StartFailures.of(new ApplicationContextRunner().withUserConfiguration(AnyLocker.class));

        assertThat(analysis.getDescription())
                .startsWith("There is no locker for ")
                .contains("the auto-configuration of locks is not part of this application context");
        assertThat(analysis.getAction())
                .contains("put @AutoConfigureTestLocks of lock-spring-boot-starter-test on the class")
                .contains("@MockitoBean");
    }

    @Test
    void aNameThatTheRegistryDoesNotKnow() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(WrongName.class));

        assertThat(analysis.getDescription()).isEqualTo("There is no locker 'depoly'; there are [default, deploy].");
        assertThat(analysis.getAction())
                .isEqualTo("Did you mean 'deploy'? Otherwise add 'lock.lockers.depoly' to the configuration.");
    }

    @Test
    void anAnnotationThatCannotWork() {
        FailureAnalysis analysis = StartFailures.of(runner.withUserConfiguration(WrongKey.class));

        assertThat(analysis.getDescription())
                .startsWith("@DistributedLock(key = \"#user.\") on ")
                .contains("lockedWithWrongKey")
                .contains("is not a valid expression")
                .doesNotContain(analysis.getAction());
        assertThat(analysis.getAction()).startsWith("Correct the expression");
    }

    @Configuration(proxyBeanMethods = false)
    static class WrongKey {

        @Bean
        WrongKeyWork work() {
            return new WrongKeyWork();
        }

        @Bean
        InitializingBean user(WrongKeyWork work) {
            return work::lockedWithWrongKey;
        }
    }

    static class WrongKeyWork {

        @DistributedLock("#user.")
        void lockedWithWrongKey() {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WrongQualifier.class)
    static class NeedsWrongQualifier {

        @Bean
        static NeedsUser above(String user) {
            return new NeedsUser(user);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(MistypedName.class)
    static class NeedsMistypedName {

        @Bean
        static NeedsUser above(String user) {
            return new NeedsUser(user);
        }
    }

    /** Is created first, since a post-processor is. */
    record NeedsUser(String user) implements BeanPostProcessor {}

    @Configuration(proxyBeanMethods = false)
    static class WrongQualifier {

        @Bean
        String user(@Qualifier("depoly") Locker locker) {
            return locker.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MistypedName {

        @Bean
        String user(Locker depolyLocker) {
            return depolyLocker.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ShortName {

        @Bean
        String user(Locker deploy) {
            return deploy.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnyLocker {

        @Bean
        String user(Locker locker) {
            return locker.name();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WrongName {

        @Bean
        InitializingBean user(LockerRegistry lockers) {
            return () -> lockers.get("depoly");
        }
    }
}
