package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of the annotation's attributes. */
class AnnotationTablesTests {

    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    @ParameterizedTest
    @CsvSource({"../README.md, | attribute", "../docs/configuration.md, | attribute"})
    void theTableHasAllAttributesAndNoOthers(Path page, String title) throws IOException {
        List<String> attributes = Arrays.stream(DistributedLock.class.getDeclaredMethods())
                .map(Method::getName)
                .toList();

        assertThat(attributesOf(page, title))
                .as("the table '%s' of %s", title, page)
                .hasSameElementsAs(attributes);
    }

    /** The first cells of the table. The two names of the key may be in one row. */
    private static Stream<String> attributesOf(Path page, String title) throws IOException {
        return Files.readAllLines(page).stream()
                .dropWhile(line -> !line.startsWith(title))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .flatMap(line -> CODE.matcher(line.substring(0, line.indexOf('|', 1)))
                        .results()
                        .map((MatchResult found) -> found.group(1)));
    }
}
