package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.aop.spec.LockDeclarationException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AliasFor;

/** Where an annotation may stand, through real proxies of both kinds. */
class AnnotationLookupTests {

    @Test
    void onAMethodOfAnInterfaceWithAProxyOfTheClass() {
        run(
                LockedContext.with(ByInterface.class),
                context -> context.getBean(Service.class).work("a"));
    }

    @Test
    void onAMethodOfAnInterfaceWithAProxyOfTheInterface() {
        run(
                LockedContext.withInterfaceProxies(ByInterface.class),
                context -> context.getBean(Service.class).work("a"));
    }

    @Test
    void onAMethodOfTheClassWithAProxyOfTheInterface() {
        run(
                LockedContext.withInterfaceProxies(ByClass.class),
                context -> context.getBean(PlainService.class).work("a"));
    }

    /** The superclass of the bean, which declares the method, does not implement the interface. */
    @Test
    void onAMethodOfAnInterfaceThatIsImplementedByAnInheritedMethod() {
        run(
                LockedContext.with(ByInheritedMethod.class),
                context -> context.getBean(Service.class).work("a"));
    }

    @Test
    void onAMethodOfAnInterfaceThatIsImplementedByAnInheritedMethodWithAProxyOfTheInterface() {
        run(
                LockedContext.withInterfaceProxies(ByInheritedMethod.class),
                context -> context.getBean(Service.class).work("a"));
    }

    @Test
    void onAnOverriddenMethodOfASuperclass() {
        run(
                LockedContext.with(Overriding.class),
                context -> context.getBean(Overriding.class).work("a"));
    }

    @Test
    void onAMethodWithATypeParameterOfAnInterface() {
        run(LockedContext.withInterfaceProxies(Typed.class), context -> {
            Generic<String> typed = context.<Generic<String>>getBeanProvider(
                            ResolvableType.forClassWithGenerics(Generic.class, String.class))
                    .getObject();
            typed.work("a");
        });
    }

    @Test
    void onAClassForItsPublicMethods() {
        run(
                LockedContext.with(AnnotatedClass.class),
                context -> context.getBean(AnnotatedClass.class).work("a"));
    }

    @Test
    void onAClassNotForMethodsThatAreNotPublicOrOfObject() {
        LockedContext.with(AnnotatedClass.class).run(context -> {
            AnnotatedClass bean = context.getBean(AnnotatedClass.class);
            bean.packagePrivate("a");
            assertThat(bean.toString()).isEqualTo("text");
            assertThat(locker(context).requests).isEmpty();
        });
    }

    @Test
    void onAMethodItReplacesThatOfTheClassAltogether() {
        LockedContext.with(AnnotatedClass.class).run(context -> {
            context.getBean(AnnotatedClass.class).own("b");
            assertThat(locker(context).requestedKeys()).containsExactly("own-b");
            assertThat(locker(context).requestedWaits()).containsExactly((Duration) null);
        });
    }

    @Test
    void onAnInterfaceForItsMethods() {
        run(
                LockedContext.withInterfaceProxies(OfAnnotatedInterface.class),
                context -> context.getBean(AnnotatedInterface.class).work("a"));
    }

    @Test
    void behindAnAnnotationOfTheApplication() {
        LockedContext.with(Meta.class).run(context -> {
            context.getBean(Meta.class).work("a");
            RecordingLocker billing = context.getBean("billingLocker", RecordingLocker.class);
            assertThat(billing.requestedKeys()).containsExactly("user-a");
            assertThat(billing.requestedWaits()).containsExactly(Duration.ofSeconds(3));
        });
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                LockerWithoutAlias.class,
                IntermediateWithoutAlias.class,
                MirrorWithoutAlias.class,
                AliasOfAnotherName.class,
                OfType.class
            })
    void anAttributeOfAnAnnotationOfTheApplicationThatIsNoAliasIsRefused(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(LockDeclarationException.Kind.ALIAS))
                        .rootCause()
                        .message()
                        .containsPattern("the attribute '(locker|key)' of @(Billing|Keyed|Described)Lock has no effect")
                        .contains("@AliasFor(annotation = DistributedLock.class)"));
    }

    @Test
    void attributesOfAnAnnotationOfTheApplicationThatAreAliasesOfOthersHaveTheirEffect() {
        LockedContext.with(Aliases.class).run(context -> {
            context.getBean(Aliases.class).work("a");
            RecordingLocker billing = context.getBean("billingLocker", RecordingLocker.class);
            assertThat(billing.requestedKeys()).containsExactly("a");
            assertThat(billing.requestedWaits()).containsExactly(Duration.ofSeconds(3));
        });
    }

    @Test
    void theNamesOfTheInterfacesParametersCount() {
        run(
                LockedContext.with(OtherNames.class),
                context -> context.getBean(Service.class).work("a"));
    }

    @Test
    void placeholdersAreResolved() {
        LockedContext.with(Placeholder.class)
                .withPropertyValues("my.wait=4s", "my.locker=billing")
                .run(context -> {
                    context.getBean(Placeholder.class).work("a");
                    RecordingLocker billing = context.getBean("billingLocker", RecordingLocker.class);
                    assertThat(billing.requestedWaits()).containsExactly(Duration.ofSeconds(4));
                });
    }

    @Test
    void aProtectedMethodOfAProxiedClassIsLocked() {
        LockedContext.with(ProtectedMethod.class).run(context -> {
            locker(context).holdElsewhere("a");
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> context.getBean(ProtectedMethod.class).work("a"));
        });
    }

    private static void run(ApplicationContextRunner runner, Consumer<AssertableApplicationContext> call) {
        runner.run(context -> {
            call.accept(context);
            assertThat(locker(context).requestedKeys()).containsExactly("a");
            assertThat(locker(context).heldCount()).isZero();
        });
    }

    private static RecordingLocker locker(AssertableApplicationContext context) {
        return context.getBean("defaultLocker", RecordingLocker.class);
    }

    interface Service {

        @DistributedLock("#key")
        void work(String key);
    }

    static class NoService {

        public void work(String key) {}
    }

    static class ByInheritedMethod extends NoService implements Service {}

    static class ByInterface implements Service {

        @Override
        public void work(String key) {}
    }

    static class OtherNames implements Service {

        @Override
        public void work(String other) {}
    }

    interface PlainService {
        void work(String key);
    }

    static class ByClass implements PlainService {

        @Override
        @DistributedLock("#key")
        public void work(String key) {}
    }

    static class Overridden {

        @DistributedLock("#key")
        public void work(String key) {}
    }

    static class Overriding extends Overridden {

        @Override
        public void work(String key) {}
    }

    interface Generic<T> {

        @DistributedLock("#key")
        void work(T key);
    }

    static class Typed implements Generic<String> {

        @Override
        public void work(String key) {}
    }

    @DistributedLock(key = "#p0", waitTime = "9s")
    static class AnnotatedClass {

        public void work(String key) {}

        void packagePrivate(String key) {}

        @DistributedLock("'own-' + #key")
        public void own(String key) {}

        @Override
        public String toString() {
            return "text";
        }
    }

    @DistributedLock("#p0")
    interface AnnotatedInterface {
        void work(String key);
    }

    static class OfAnnotatedInterface implements AnnotatedInterface {

        @Override
        public void work(String key) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = "'user-' + #userId", locker = "billing", onFailure = OnFailure.SKIP)
    @interface OncePerUser {

        @AliasFor(annotation = DistributedLock.class)
        String waitTime() default "1s";
    }

    static class Meta {

        @OncePerUser(waitTime = "3s")
        public void work(String userId) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'x'")
    @interface BillingLock {

        String locker() default "billing";
    }

    static class LockerWithoutAlias {

        @BillingLock
        public void work() {}
    }

    @BillingLock
    static class OfType {

        public void work() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @BillingLock
    @interface Nested {

        @AliasFor(annotation = BillingLock.class, attribute = "locker")
        String name() default "billing";
    }

    static class IntermediateWithoutAlias {

        @Nested
        public void work() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'x'")
    @interface KeyedLock {

        @AliasFor("key")
        String value() default "'y'";

        @AliasFor("value")
        String key() default "'y'";
    }

    static class MirrorWithoutAlias {

        @KeyedLock
        public void work() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'x'")
    @interface Described {

        String description() default "";
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Described
    @interface DescribedLock {

        @AliasFor(annotation = Described.class, attribute = "description")
        String locker();
    }

    static class AliasOfAnotherName {

        @DescribedLock(locker = "billing")
        public void work() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(locker = "billing")
    @Qualifier
    @interface Inner {

        @AliasFor(annotation = Qualifier.class)
        String value() default "bills";

        @AliasFor(annotation = DistributedLock.class, attribute = "key")
        String lockKey();

        @AliasFor(annotation = DistributedLock.class)
        String waitTime() default "1s";

        String description() default "";
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Inner(lockKey = "")
    @interface Outer {

        @AliasFor(annotation = Inner.class, attribute = "lockKey")
        String key();

        @AliasFor(annotation = Inner.class)
        String waitTime() default "2s";
    }

    static class Aliases {

        @Outer(key = "#key", waitTime = "3s")
        public void work(String key) {}
    }

    static class Placeholder {

        @DistributedLock(key = "#key", waitTime = "${my.wait}", locker = "${my.locker}", ttl = "${my.ttl:10s}")
        public void work(String key) {}
    }

    static class ProtectedMethod {

        @DistributedLock("#key")
        protected void work(String key) {
            throw new AssertionError("the body ran");
        }
    }
}
