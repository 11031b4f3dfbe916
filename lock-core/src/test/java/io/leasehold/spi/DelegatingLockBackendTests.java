package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DelegatingLockBackendTests {

    /** An operation that is not passed on would have the answer of a store that does not support it. */
    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationIsPassedOn(Method operation) throws ReflectiveOperationException {
        assertThat(DelegatingLockBackend.class
                        .getMethod(operation.getName(), operation.getParameterTypes())
                        .getDeclaringClass())
                .isEqualTo(DelegatingLockBackend.class);
    }

    static Method[] operations() {
        return Arrays.stream(LockBackend.class.getMethods())
                .filter(method -> !method.isSynthetic())
                .toArray(Method[]::new);
    }
}
