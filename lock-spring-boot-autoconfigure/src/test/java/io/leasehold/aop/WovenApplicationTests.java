package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.WovenApplication;
import com.example.WovenAsyncApplication;
import com.example.WovenContextsApplication;
import com.example.WovenFamilyApplication;
import com.example.WovenStartApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example of docs/spring.md for AspectJ, in a JVM of its own with the agent. */
@Timeout(120)
class WovenApplicationTests {

    private static final Path AOP_XML = Path.of("src", "test", "resources", "weaving", "META-INF", "aop.xml");

    @Test
    void aCallWithinAnObjectIsLocked() throws Exception {
        assertThat(WovenJvm.run(WovenApplication.class, "weaving"))
                .contains("charged under [alice]", "charged under [bob]", "charged under [no bean]");
    }

    @Test
    void callsAtTheStartAreLockedUnlessTheAspectIsSwitchedOff() throws Exception {
        assertThat(WovenJvm.run(WovenStartApplication.class, "weaving"))
                .filteredOn(line -> line.startsWith("charged ") || line.startsWith("refused: "))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("charged constructed under [constructed]"),
                        line -> assertThat(line).isEqualTo("charged instantiated under [instantiated]"),
                        line -> assertThat(line).isEqualTo("charged constructed under [constructed]"),
                        line -> assertThat(line).isEqualTo("charged instantiated under [instantiated]"),
                        line -> assertThat(line).isEqualTo("charged beside under [beside]"),
                        line -> assertThat(line).isEqualTo("charged after under [after]"),
                        line -> assertThat(line).isEqualTo("charged constructed under []"),
                        line -> assertThat(line).isEqualTo("charged instantiated under []"),
                        line -> assertThat(line).isEqualTo("charged off under []"),
                        line -> assertThat(line).isEqualTo("charged constructed under []"),
                        line -> assertThat(line).isEqualTo("charged instantiated under []"),
                        line -> assertThat(line).isEqualTo("charged off under []"),
                        line -> assertThat(line).startsWith("refused: ").contains("lock.aspect.mode"));
    }

    @Test
    void aContextThatStartsOrStopsLeavesTheCallsToOthers() throws Exception {
        assertThat(WovenJvm.run(WovenContextsApplication.class, "weaving"))
                .filteredOn(line -> line.startsWith("call: "))
                .containsExactly(
                        "call: early refused",
                        "call: constructed under [constructed]",
                        "call: early under [early] of the first",
                        "call: constructed under [constructed] of the first",
                        "call: open under [open]",
                        "call: stopped under [stopped] of the first",
                        "call: restarted under [restarted]",
                        "call: destroyed under [destroyed] of the first",
                        "call: closed under [closed] of the first",
                        "call: beside a stopped context",
                        "call: early refused",
                        "call: constructed under [constructed]",
                        "call: third under [third]",
                        "call: destroyed refused",
                        "call: destroyed refused",
                        "call: with a context that is switched off",
                        "call: early under []",
                        "call: constructed under []",
                        "call: early refused",
                        "call: constructed under [constructed]",
                        "call: beside under [beside]",
                        "call: destroyed refused",
                        "call: alone under []",
                        "call: destroyed under []");
    }

    @Test
    void aBeanThatWasNotWovenIsRefusedInParentsAndChildrenWithoutTheAspect() throws Exception {
        assertThat(WovenJvm.run(WovenFamilyApplication.class, "weaving"))
                .filteredOn(line -> line.startsWith("charged ") || line.matches("(parent|child) .*"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("parent refused: ")
                                .contains("NotWoven.work()", "part of a parent context", "AspectJ has not woven"),
                        line -> assertThat(line).isEqualTo("charged under [of the parent]"),
                        line -> assertThat(line)
                                .startsWith("child refused: ")
                                .contains("NotWoven.work()", "part of a child context", "AspectJ has not woven"),
                        line -> assertThat(line).isEqualTo("charged under [of the child]"));
    }

    @Test
    void aStageForWhichAThreadOfTheExecutorWaitsIsRefused() throws Exception {
        assertThat(WovenJvm.run(WovenAsyncApplication.class, "weaving"))
                .anySatisfy(line -> assertThat(line).startsWith("refused: ").contains("Billing.charge", "@Async"));
    }

    @Test
    void thePageHasTheFileOfTheExample() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "spring.md"))).contains(Files.readString(AOP_XML));
    }
}
