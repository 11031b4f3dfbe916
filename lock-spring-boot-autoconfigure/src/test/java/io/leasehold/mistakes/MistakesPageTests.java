package io.leasehold.mistakes;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.mistakes.MistakesPage.Row;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of mistakes names all tests that make one, and no others. */
class MistakesPageTests {

    private static final List<Class<?>> MISTAKES = List.of(
            ConfigurationMistakesTests.class,
            InjectionMistakesTests.class,
            AnnotationMistakesTests.class,
            RedisMistakesTests.class,
            DatabaseMistakesTests.class,
            EtcdMistakesTests.class,
            AdapterMistakesTests.class,
            CallMistakesTests.class,
            CustomizerMistakesTests.class);

    @Test
    void eachRowNamesATestAndEachTestHasARow() {
        List<String> tests = MISTAKES.stream()
                .flatMap(type -> Stream.of(type.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Test.class))
                        .map(MistakesPageTests::name))
                .toList();

        assertThat(MistakesPage.rows()).extracting(Row::test).containsExactlyInAnyOrderElementsOf(tests);
    }

    @Test
    void thereAreAtLeastThirtyRowsAndTheyAreNumbered() {
        List<Integer> numbers = MistakesPage.rows().stream().map(Row::number).toList();

        assertThat(numbers)
                .hasSizeGreaterThanOrEqualTo(30)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, numbers.size()).boxed().toList());
    }

    private static String name(Method test) {
        return test.getDeclaringClass().getSimpleName() + "#" + test.getName();
    }
}
