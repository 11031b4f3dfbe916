package io.leasehold.test.autoconfigure;

import io.leasehold.test.TestLocks;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Replaces the stores of all lockers by one in memory, on a clock that the test moves. Annotates a test class. {@code
 * lock.backend} and the {@code backend} of each locker have no effect; all other settings of lockers have theirs. No
 * connection is opened.
 *
 * <p>The context has a {@link TestLocks} bean, which moves the clock and causes faults. It is {@linkplain
 * TestLocks#reset() reset} after each test method. Lockers, annotated methods and their auto-configuration are
 * available in slices such as {@code @DataJpaTest} as well.
 *
 * <p>An application whose production classes have this annotation does not start.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestLocks {}
