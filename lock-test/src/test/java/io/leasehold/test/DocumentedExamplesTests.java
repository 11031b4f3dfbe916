package io.leasehold.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of docs/testing.md are tests that run in the build. */
class DocumentedExamplesTests {

    private static final Path ROOT = Path.of("..");

    private static final Pattern AFTER_JAVADOC = Pattern.compile("(?s).*^/\\*\\*.*?\\*/\n(.*)", Pattern.MULTILINE);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lock-test/src/test/java/io/leasehold/test/InvoiceRunTests.java",
                "lock-spring-boot-starter-test/src/test/java/io/leasehold/test/autoconfigure/example/InvoicesTests.java",
                "lock-store-example/src/test/java/com/example/lockstore/SocketLockBackendTests.java"
            })
    void anExampleIsTheTestThatRuns(String source) throws IOException {
        Matcher code = AFTER_JAVADOC.matcher(Files.readString(ROOT.resolve(source)));
        assertThat(code.matches())
                .as("%s has a javadoc before its class", source)
                .isTrue();
        assertThat(Files.readString(ROOT.resolve("docs/testing.md"))).contains("```java\n" + code.group(1) + "```");
    }
}
