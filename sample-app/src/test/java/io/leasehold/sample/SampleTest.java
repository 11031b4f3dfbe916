package io.leasehold.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * One instance for all test classes of a process that carry this, on servers that neither another process of tests nor a
 * sample at play can join.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "sample.servers.directory=target/servers-${test.process:process-1}",
            "sample.servers.linger=5s",
            "sample.billing.payment=50ms",
            "sample.billing.every=1h",
            "lock.safety.level=off"
        })
public @interface SampleTest {}
