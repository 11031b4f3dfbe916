package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The answers in docs/holders.md have the fields of the endpoint. */
class HoldersPageTests {

    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)\":");

    /** The lockers of the sample, which are fields of the answer. */
    private static final Set<String> LOCKERS = Set.of("deploy", "stock");

    @Test
    void theExamplesHaveAllFieldsAndNoOthers() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "holders.md"));
        String examples = page.substring(page.indexOf("## Examples"));
        Set<String> shown = FIELD.matcher(examples)
                .results()
                .map(field -> field.group(1))
                .filter(field -> !LOCKERS.contains(field))
                .collect(Collectors.toSet());
        Set<String> answered = Stream.<Class<?>>of(
                        LockDescriptor.class,
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
