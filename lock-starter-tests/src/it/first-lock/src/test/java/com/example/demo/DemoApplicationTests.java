package com.example.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application of docs/getting-started.md, file by file. */
@ExtendWith(OutputCaptureExtension.class)
class DemoApplicationTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "src/main/java/com/example/demo/DemoApplication.java",
                "src/main/java/com/example/demo/User.java",
                "src/main/java/com/example/demo/Billing.java",
                "src/main/resources/application.yaml"
            })
    void thePageHasTheFile(String file) throws IOException {
        assertThat(Files.readString(Path.of(System.getProperty("page"))))
                .contains("`" + file + "`:\n\n```" + file.substring(file.lastIndexOf('.') + 1) + "\n"
                        + Files.readString(Path.of(file)) + "```\n");
    }

    @Test
    void theApplicationLocks(CapturedOutput output) {
        SpringApplication.run(DemoApplication.class, "--lock.backend=memory").close();
        assertThat(output.getOut()).containsPattern("charged user 7 under 7, token \\d+");
    }
}
