package io.leasehold.aop.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.aop.spec.LockSpecs;
import org.junit.jupiter.api.Test;
import org.springframework.core.OverridingClassLoader;

/** Which methods of a class are locked. */
class LockedMethodsTests {

    @Test
    void aClassThatCannotBeSearchedIsNoReasonNotToStart() throws Exception {
        ClassLoader incomplete = new OverridingClassLoader(getClass().getClassLoader()) {

            @Override
            protected boolean isEligibleForOverriding(String name) {
                return name.equals(NeedsWhatIsMissing.class.getName());
            }

            @Override
            public Class<?> loadClass(String name) throws ClassNotFoundException {
                if (name.equals(Missing.class.getName())) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name);
            }
        };
        Class<?> incompleteClass = incomplete.loadClass(NeedsWhatIsMissing.class.getName());
        assertThat(new LockedMethods(new LockSpecs(text -> text), false).of(incompleteClass))
                .isEmpty();
    }

    static class Missing {}

    static class NeedsWhatIsMissing {

        public Missing work() {
            return new Missing();
        }
    }
}
