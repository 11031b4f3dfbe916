package io.leasehold.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The store of a test is inside its process, so that no other application shares its locks. */
@ExtendWith(OutputCaptureExtension.class)
@SpringBootTest(
        classes = NamespaceNoticeTests.App.class,
        properties = "logging.level.io.leasehold=info",
        webEnvironment = SpringBootTest.WebEnvironment.NONE)
@AutoConfigureTestLocks
class NamespaceNoticeTests {

    @Autowired
    Locker locker;

    @Test
    void noOtherApplicationIsNamed(CapturedOutput output) {
        locker.lock("k").close();
        assertThat(output)
                .contains("Started NamespaceNoticeTests")
                .doesNotContain("shares them with every application");
    }

    @EnableAutoConfiguration
    static class App {}
}
