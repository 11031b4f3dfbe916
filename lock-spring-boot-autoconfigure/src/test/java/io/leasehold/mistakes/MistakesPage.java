package io.leasehold.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The page of mistakes. Each test of a subclass makes one mistake, and compares its message with the page. */
abstract class MistakesPage {

    private static final Path PAGE = Path.of("..", "docs", "mistakes.md");

    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| (.+) \\| `(.+)` \\| `(\\w+)#(\\w+)` \\|");

    private String test = "";

    @BeforeEach
    final void remember(TestInfo info) {
        test = info.getTestClass().orElseThrow().getSimpleName() + "#"
                + info.getTestMethod().orElseThrow().getName();
    }

    /** All rows, in their order. */
    static List<Row> rows() {
        try {
            return Files.readAllLines(PAGE).stream()
                    .map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(row -> new Row(
                            Integer.parseInt(row.group(1)), row.group(2), row.group(3), row.group(4), row.group(5)))
                    .toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    final void assertOnPage(FailureAnalysis analysis) {
        assertOnPage(analysis.getDescription() + " " + analysis.getAction());
    }

    final void assertOnPage(Throwable failure) {
        assertOnPage(String.valueOf(failure.getMessage()));
    }

    /** Compares a message with that of the page's row for this test. */
    final void assertOnPage(String message) {
        assertThat(rows())
                .filteredOn(row -> row.test().equals(test))
                .extracting(Row::message)
                .containsExactly(masked(message));
    }

    /** Replaces what differs from one run to the next: ports, times, and names that a server chooses. */
    private static String masked(String message) {
        return message.strip()
                .replaceAll("\\s*\\R\\s*", " ")
                .replaceAll("(127\\.0\\.0\\.1|localhost):\\d{5}\\b", "$1:<port>")
                .replaceAll("\\b\\d+ ms\\b", "<n> ms")
                .replaceAll("\\b\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "<time>")
                .replaceAll("\\b[0-9a-f]{40}, on @user_script:\\d+", "<sha1>, on @user_script:<n>")
                .replaceAll("\\(conn=\\d+\\)", "(conn=<n>)")
                .replaceAll("lambda\\$(\\w+)\\$\\d+\\(", "lambda\\$$1\\$<n>(")
                .replaceAll("\\((\\w+\\.java):\\d+\\)", "($1:<n>)")
                // these depend on the JDK and on the DNS server
                .replace("io exception: (certificate_unknown) ", "io exception: ")
                .replaceAll("(redis\\.invalid:6379: )[^(]+ \\(", "$1<reason> (")
                .replaceAll("'io\\.leasehold\\.mistakes\\.", "'")
                .replace("io.leasehold.mistakes.", "");
    }

    /**
     * A row of the page.
     *
     * @param message in full
     * @param type the simple name of the test's class
     */
    record Row(int number, String mistake, String message, String type, String method) {

        String test() {
            return type + "#" + method;
        }
    }
}
