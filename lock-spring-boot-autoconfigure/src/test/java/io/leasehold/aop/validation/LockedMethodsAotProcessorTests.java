package io.leasehold.aop.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockKeyRoot;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;

/** What a native image is told of locked methods. */
class LockedMethodsAotProcessorTests {

    @Test
    void theFallbackCanBeCalled() throws Exception {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Work.class.getDeclaredMethod("instead", User.class))
                        .test(hintsOf(Work.class)))
                .isTrue();
    }

    @Test
    void thePropertiesOfArgumentsCanBeRead() {
        RuntimeHints hints = hintsOf(Work.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(User.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hints))
                .isTrue();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(LockKeyRoot.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hints))
                .isTrue();
    }

    @Test
    void theAnnotationCanBeSynthesized() {
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(DistributedLock.class)
                        .test(hintsOf(Work.class)))
                .isTrue();
    }

    @Test
    void beansWithoutLockedMethodsAddNothing() {
        assertThat(RuntimeHintsPredicates.reflection().onType(LockKeyRoot.class).test(hintsOf(User.class)))
                .isFalse();
    }

    private static RuntimeHints hintsOf(Class<?> bean) {
        TestGenerationContext generation = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(bean);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        return generation.getRuntimeHints();
    }

    public static class User {

        public int getId() {
            return 1;
        }
    }

    public static class Work {

        @DistributedLock(key = "#user.id", fallbackMethod = "instead")
        public String work(User user) {
            return "";
        }

        private String instead(User user) {
            return "";
        }
    }
}
