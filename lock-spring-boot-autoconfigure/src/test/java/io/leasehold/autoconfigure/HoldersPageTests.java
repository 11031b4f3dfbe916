package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ForcedRelease.Outcome;
import io.leasehold.actuate.ForcedReleaseDescriptor;
import io.leasehold.actuate.ListingDescriptor;
import io.leasehold.actuate.ListingDescriptor.ListedLockDescriptor;
import io.leasehold.actuate.LockDescriptor;
import io.leasehold.actuate.LockerDescriptor;
import io.leasehold.actuate.LockerDescriptor.HeldDescriptor;
import io.leasehold.actuate.LockerDescriptor.WaiterDescriptor;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The answers in docs/holders.md have the fields of the endpoint. */
class HoldersPageTests {

    private static final Path PAGE = Path.of("..", "docs", "holders.md");

    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\":");

    /** The lockers of the sample, which are fields of the answer. */
    private static final Set<String> LOCKERS = Set.of("deploy", "stock");

    private static final Pattern FORCED_RELEASE = Pattern.compile(
            "curl -X DELETE .*\\n\\{\"outcome\":\"(\\w+)\",.*\"reason\":\"(.*)\"\\} (\\d{3})\\n", Pattern.MULTILINE);

    private static final Pattern ROW_OF_TABLE = Pattern.compile("^\\| `(\\w+)` \\| ([\\d, ]+) \\|", Pattern.MULTILINE);

    @Test
    void eachOutcomeOfAForcedReleaseHasAnExampleWithItsStatusAndReason() throws IOException {
        String page = Files.readString(PAGE);
        Map<String, String> table = ROW_OF_TABLE
                .matcher(page)
                .results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        List<MatchResult> examples = FORCED_RELEASE.matcher(page).results().toList();
        assertThat(examples)
                .allSatisfy(example -> assertThat(table.get(example.group(1))).contains(example.group(3)));
        assertThat(examples.stream().map(example -> example.group(1) + " " + example.group(3)))
                .containsExactlyInAnyOrderElementsOf(table.entrySet().stream()
                        .flatMap(row ->
                                Arrays.stream(row.getValue().split(", ")).map(status -> row.getKey() + " " + status))
                        .toList());
        for (Outcome outcome : Outcome.values()) {
            String name = outcome.name().toLowerCase(Locale.ROOT);
            assertThat(examples)
                    .filteredOn(example -> example.group(1).equals(name))
                    .singleElement()
                    .satisfies(example -> assertThat(example.group(2)).isEqualTo(outcome.explanation()));
        }
    }

    @Test
    void theExamplesHaveAllFieldsAndNoOthers() throws IOException {
        String page = Files.readString(PAGE);
        String examples = page.substring(page.indexOf("## Examples"));
        Set<String> shown = FIELD.matcher(examples)
                .results()
                .map(field -> field.group(1))
                .filter(field -> !LOCKERS.contains(field))
                .collect(Collectors.toSet());
        Set<String> answered = Stream.<Class<?>>of(
                        LockDescriptor.class,
                        ForcedReleaseDescriptor.class,
                        ListingDescriptor.class,
                        ListedLockDescriptor.class,
                        LockerDescriptor.class,
                        HeldDescriptor.class,
                        WaiterDescriptor.class)
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .collect(Collectors.toSet());
        assertThat(shown).isEqualTo(answered);
    }
}
