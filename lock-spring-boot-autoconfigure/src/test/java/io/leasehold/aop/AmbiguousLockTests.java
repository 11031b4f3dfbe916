package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.SingleInstance;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several annotations that each lock one method. */
class AmbiguousLockTests {

    @ParameterizedTest
    @ValueSource(classes = {TwoComposed.class, OwnAndComposed.class, TwoOnTheType.class})
    void twoLocksOfOneMethodAreRefused(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context)
                        .getFailure()
                        .satisfies(Refusals.rootOfKind(Kind.AMBIGUOUS))
                        .hasStackTraceContaining("one lock"));
    }

    @ParameterizedTest
    @ValueSource(classes = {Overriding.class, OneOfEach.class})
    void theNearestOfSeveralPlacesHolds(Class<?> bean) {
        LockedContext.with(bean).run(context -> {
            assertThat(context).hasNotFailed();
            ((Work) context.getBean(bean)).run();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("nearest");
        });
    }

    @Test
    void differentLocksOfTwoInterfacesAreRefused() {
        LockedContext.with(OfTwoInterfaces.class)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.AMBIGUOUS)));
    }

    @Test
    void theMethodOfTheClassDecidesBetweenTwoInterfaces() {
        LockedContext.with(DecidingBetweenInterfaces.class).run(context -> {
            ((One) context.getBean(DecidingBetweenInterfaces.class)).run();
            ((Two) context.getBean(DecidingBetweenInterfaces.class)).run();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("nearest", "nearest");
        });
    }

    @Test
    void differentLocksOnTwoInterfaceTypesAreRefused() {
        LockedContext.with(OfTwoInterfaceTypes.class)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.AMBIGUOUS)));
    }

    @UserLock
    interface Billing {

        void bill();
    }

    @OrderLock
    interface Reports {

        void report();
    }

    static class OfTwoInterfaceTypes implements Billing, Reports {

        @Override
        public void bill() {}

        @Override
        public void report() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OfOwnTypeAndInterface.class,
                OfNearerInterface.class,
                InheritingWithNearerInterface.class,
                OfNearerSuperclass.class,
                OfNearerInterfaceOfADefaultMethod.class,
                OfBothInterfacesOfADefaultMethod.class,
                OfBothInterfacesOfAnInheritedMethod.class,
                OfBothMethodsOfAnInheritedMethod.class,
                OfNearerMethodOfASuperclass.class
            })
    void theNearestOfSeveralTypesHolds(Class<?> bean) {
        LockedContext.with(bean).run(context -> {
            assertThat(context).hasNotFailed();
            ((Locked) context.getBean(bean)).run();
            assertThat(context.getBean("defaultLocker", RecordingLocker.class).requestedKeys())
                    .containsExactly("nearest");
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {OfSuperclassAndInterface.class, OfSuperclassTypeAndInterfaceType.class})
    void differentLocksOfASuperclassAndAnInterfaceAreRefused(Class<?> bean) {
        LockedContext.with(bean)
                .run(context -> assertThat(context).getFailure().satisfies(Refusals.rootOfKind(Kind.AMBIGUOUS)));
    }

    @DistributedLock("'interface'")
    interface Locked {

        void run();
    }

    @DistributedLock("'nearest'")
    interface NearerLocked extends Locked {}

    @DistributedLock("'nearest'")
    static class OfOwnTypeAndInterface implements Locked {

        @Override
        public void run() {}
    }

    static class OfNearerInterface implements NearerLocked {

        @Override
        public void run() {}
    }

    @DistributedLock("'nearest'")
    static class NearerBase implements Locked {

        @Override
        public void run() {}
    }

    /** The interface once more, as many classes name it. */
    static class OfNearerSuperclass extends NearerBase implements Locked {

        @Override
        public void run() {}
    }

    interface LockedMethod extends Locked {

        @Override
        @DistributedLock("'interface'")
        void run();
    }

    static class NearerMethod implements LockedMethod {

        @Override
        @DistributedLock("'nearest'")
        public void run() {}
    }

    static class OfNearerMethodOfASuperclass extends NearerMethod implements LockedMethod {

        @Override
        public void run() {}
    }

    @DistributedLock("'interface'")
    interface LockedDefault extends Locked {

        @Override
        default void run() {}
    }

    @DistributedLock("'nearest'")
    interface NearerDefault extends LockedDefault {}

    static class OfNearerInterfaceOfADefaultMethod implements NearerDefault {}

    static class OfBothInterfacesOfADefaultMethod implements LockedDefault, NearerDefault {}

    static class OfBothInterfacesOfAnInheritedMethod extends Unlocked implements Locked, NearerLocked {}

    interface NearerLockedMethod extends LockedMethod {

        @Override
        @DistributedLock("'nearest'")
        void run();
    }

    static class OfBothMethodsOfAnInheritedMethod extends Unlocked implements LockedMethod, NearerLockedMethod {}

    static class Unlocked {

        public void run() {}
    }

    static class InheritingWithNearerInterface extends Unlocked implements NearerLocked {}

    static class OfSuperclassAndInterface extends Work implements One {

        @Override
        public void run() {}
    }

    @UserLock
    static class OfUser {}

    static class OfSuperclassTypeAndInterfaceType extends OfUser implements Reports {

        @Override
        public void report() {}
    }

    @Test
    void theSameLockOfTwoInterfacesIsOneLock() {
        LockedContext.with(OfTwoEqualInterfaces.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    interface One {

        @DistributedLock("'one'")
        void run();
    }

    interface Two {

        @DistributedLock("'two'")
        void run();
    }

    interface OneAgain {

        @DistributedLock("'one'")
        void run();
    }

    static class OfTwoInterfaces implements One, Two {

        @Override
        public void run() {}
    }

    static class OfTwoEqualInterfaces implements One, OneAgain {

        @Override
        public void run() {}
    }

    static class DecidingBetweenInterfaces implements One, Two {

        @Override
        @DistributedLock("'nearest'")
        public void run() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'user'")
    @interface UserLock {}

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'order'")
    @interface OrderLock {}

    abstract static class Work {

        @DistributedLock("'base'")
        public void run() {}
    }

    static class TwoComposed {

        @UserLock
        @OrderLock
        public void run() {}
    }

    static class OwnAndComposed {

        @DistributedLock("'own'")
        @SingleInstance(key = "'job'", minHoldTime = "1s")
        public void run() {}
    }

    @UserLock
    @OrderLock
    static class TwoOnTheType {

        public void run() {}
    }

    static class Overriding extends Work {

        @Override
        @DistributedLock("'nearest'")
        public void run() {}
    }

    @UserLock
    static class OneOfEach extends Work {

        @Override
        @DistributedLock("'nearest'")
        public void run() {}
    }
}
