package io.leasehold.aop.spec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;

/** The libraries that a suspending function needs, of which the start names the missing one. */
class CoroutineLibrariesTests {

    @Test
    void nothingIsMissingIfBothAreThere() {
        assertThat(ResultKind.missingForCoroutines(ResultKind.class.getClassLoader()))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "kotlinx.coroutines.reactor, org.jetbrains.kotlinx:kotlinx-coroutines-reactor",
        "kotlin.reflect.full, org.jetbrains.kotlin:kotlin-reflect"
    })
    void theMissingOneIsNamed(String packageName, String library) {
        assertThat(ResultKind.missingForCoroutines(new FilteredClassLoader(packageName)))
                .isEqualTo(library);
    }
}
