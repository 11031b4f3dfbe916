package io.leasehold.test.autoconfigure.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.context.ApplicationContext;

/** The JSON slice of an application that locks. */
@JsonTest
class JsonSliceTests {

    @Autowired
    private JacksonTester<Receipt> json;

    @Test
    void aTypeIsTestedWithoutLocks(@Autowired ApplicationContext context) throws IOException {
        assertThat(json.write(new Receipt("a", 7))).isEqualToJson("""
                {"invoice": "a", "amount": 7}
                """);
        assertThat(context.getBeanProvider(Locker.class)).isEmpty();
    }
}
