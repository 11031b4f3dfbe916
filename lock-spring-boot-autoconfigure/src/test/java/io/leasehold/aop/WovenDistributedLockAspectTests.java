package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The door for woven classes, in a JVM of its own with the real agent. */
class WovenDistributedLockAspectTests {

    @Test
    @Timeout(60)
    void wovenMethodsAreLockedOnceAlsoWhenTheirOwnObjectCallsThem() throws Exception {
        assertThat(WovenJvm.run(WovenStory.class, "woven"))
                .contains(
                        "early=true",
                        "self=[own-a]",
                        "joined=[a]",
                        "fence=true",
                        "handle=[h]",
                        "meta=[meta-m]",
                        "class=[c]",
                        "object=[]",
                        "later=[b]",
                        "back=[c]",
                        "held=0");
    }
}
