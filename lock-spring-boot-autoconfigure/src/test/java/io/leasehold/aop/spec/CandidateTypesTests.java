package io.leasehold.aop.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.annotation.Transactional;

/** The types in which the annotation is looked for. */
class CandidateTypesTests {

    private final CandidateTypes candidates = new CandidateTypes();

    @Test
    void aTypeWithTheAnnotationOnItselfOrAMethodIsACandidate() {
        assertThat(candidates.contains(OnType.class)).isTrue();
        assertThat(candidates.contains(OnMethod.class)).isTrue();
        assertThat(candidates.contains(OnPrivateMethod.class)).isTrue();
    }

    @Test
    void aTypeInheritsTheAnnotationFromItsSupertypes() {
        assertThat(candidates.contains(Child.class)).isTrue();
        assertThat(candidates.contains(GrandChild.class)).isTrue();
        assertThat(candidates.contains(Implementation.class)).isTrue();
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Contract.class}, (self, method, arguments) -> null);
        assertThat(candidates.contains(proxy.getClass())).isTrue();
    }

    @Test
    void anAnnotationThatIsComposedOfItCounts() {
        assertThat(candidates.contains(Composed.class)).isTrue();
        assertThat(candidates.contains(TwiceComposed.class)).isTrue();
    }

    @Test
    void otherTypesAreNoCandidates() {
        assertThat(candidates.contains(Other.class)).isFalse();
        assertThat(candidates.contains(String.class)).isFalse();
        assertThat(candidates.contains(null)).isFalse();
    }

    @DistributedLock("a")
    static class OnType {}

    static class OnMethod {

        @DistributedLock("a")
        public void run() {}
    }

    static class OnPrivateMethod {

        @DistributedLock("a")
        private void run() {}
    }

    static class Child extends OnMethod {}

    static class GrandChild extends Child implements Callable<String> {

        @Override
        public String call() {
            return "";
        }
    }

    interface Contract {

        @DistributedLock("a")
        default void run() {}
    }

    interface WiderContract extends Contract {}

    static class Implementation extends Other implements WiderContract {}

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("a")
    @interface Locked {}

    @Retention(RetentionPolicy.RUNTIME)
    @Locked
    @interface LockedJob {}

    static class Composed {

        @Locked
        public void run() {}
    }

    static class TwiceComposed {

        @LockedJob
        public void run() {}
    }

    @Transactional
    static class Other {

        @Deprecated
        public void run() {}
    }
}
