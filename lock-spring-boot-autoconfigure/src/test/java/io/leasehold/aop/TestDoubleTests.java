package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

import io.leasehold.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Beans with locked methods that tests replace, and singletons that are registered by hand. */
@ExtendWith(OutputCaptureExtension.class)
@SpringJUnitConfig({
    AopTestConfiguration.class,
    LockedContext.ClassProxies.class,
    TestDoubleTests.Mocked.class,
    TestDoubleTests.Replaced.class,
    TestDoubleTests.Spied.class
})
class TestDoubleTests {

    @MockitoBean
    private Mocked mocked;

    @MockitoBean
    private FinalService finalService;

    @TestBean
    private Replaced replaced;

    @MockitoSpyBean
    private Spied spied;

    @Autowired
    private RecordingLocker defaultLocker;

    static Replaced replaced() {
        return new Replaced();
    }

    @Test
    void aMockAnswersWithoutALock() {
        given(mocked.run("a")).willReturn("mocked");
        assertThat(mocked.run("a")).isEqualTo("mocked");
        given(finalService.run("a")).willReturn("mocked");
        assertThat(finalService.run("a")).isEqualTo("mocked");
    }

    @Test
    void aTestBeanAnswersWithoutALock() {
        assertThat(replaced.run("b")).isEqualTo("b");
        assertThat(defaultLocker.requestedKeys()).doesNotContain("b");
    }

    @Test
    void aSpyIsLocked() {
        assertThat(spied.run("c")).isEqualTo("c");
        verify(spied).run("c");
        assertThat(defaultLocker.requestedKeys()).containsOnlyOnce("c");
    }

    @Test
    void aMockThatIsDeclaredAsABeanIsNotJudged() {
        LockedContext.with()
                .withBean("mocked", Mocked.class, () -> mock(Mocked.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aMockThatIsRegisteredIsNotJudged(CapturedOutput output) {
        LockedContext.with()
                .withInitializer(
                        context -> context.getBeanFactory().registerSingleton("registered", mock(Mocked.class)))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).doesNotContain("'registered'");
                });
    }

    @Test
    void aSingletonThatIsRegisteredByHandIsWarnedOf(CapturedOutput output) {
        LockedContext.with()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("registered", new Replaced()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).contains("'registered'").contains("without their locks");
                });
    }

    static class Mocked {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }

    static final class FinalService {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }

    static class Replaced {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }

    static class Spied {

        @DistributedLock("#key")
        public String run(String key) {
            return key;
        }
    }
}
