package io.leasehold.aop.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.LockKeyType;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kotlin.uuid.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.annotation.MergedAnnotation;

/** Keys: what an expression gives for arguments, and what it may not do. */
class LockKeyTests {

    private static final Method METHOD = method();

    private final LockKeyEvaluator evaluator =
            new LockKeyEvaluator(() -> List.of(new LockKeyType<>(OrderId.class, OrderId::code)));

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', commentCharacter = '~', textBlock = """
                    #id                                   | i1
                    #p0                                   | i1
                    #a0                                   | i1
                    'order-' + #id                        | order-i1
                    #id + '/' + #user.id                  | i1/42
                    'b-' + (#user.id % 5)                 | b-2
                    #user.id + 1                          | 43
                    'literal'                             | literal
                    #root.methodName                      | work
                    #root.targetClass                     | io.leasehold.aop.spec.LockKeyTests$Work
                    'x' + #root.methodName                | xwork
                    #user.kind                            | ADMIN
                    #user.none ?: 'nobody'                | nobody
                    #user.nick ?: 'nobody'                | nobody
                    #user.name ?: 'nobody'                | jo
                    'n-' + (#user.name ?: 'nobody')       | n-jo
                    #root.args[0]                         | i1
                    'r-' + #root.args[1].id               | r-42
                    #root.target.region                   | eu
                    #id == null ? 'a' : 'b-' + #id        | b-i1
                    #user.none == null ? 'a' : #user.none | a
                    #map['k']                             | v
                    #list[1]                              | l2
                    #user?.id                             | 42
                    """)
    void anExpressionGivesOneKey(String expression, String key) {
        assertThat(keys(expression)).containsExactly(key);
    }

    @Test
    void aClassThatEachProcessNamesDifferentlyIsRefused() {
        Runnable lambda = () -> {};
        KeyTextConverter converter = new KeyTextConverter(List::of);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> converter.text(lambda.getClass()))
                .withMessageContaining("has another name in each process");
    }

    /** A reference to an entity that is not loaded has it, and the entity itself has not. */
    @Test
    void theClassOfAPersistenceProxyIsRefused() {
        KeyTextConverter converter = new KeyTextConverter(List::of);
        assertThat(List.of(Order.HibernateProxy.class, Order.HibernateProxy$7.class))
                .allSatisfy(proxy -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> converter.text(proxy))
                        .withMessageContaining("is the class of a Hibernate proxy"));
        assertThat(converter.text(Order.class)).isEqualTo(Order.class.getName());
    }

    static class Order {

        static class HibernateProxy extends Order {}

        static class HibernateProxy$7 extends Order {}
    }

    @Test
    void equalDecimalNumbersAreOneKey() {
        KeyTextConverter converter = new KeyTextConverter(List::of);
        assertThat(Stream.of("100", "100.0", "1E+2", "100.00").map(BigDecimal::new))
                .allSatisfy(number -> assertThat(converter.text(number)).isEqualTo("100"));
        assertThat(converter.text(new BigDecimal("-0.500"))).isEqualTo("-0.5");
        assertThat(converter.text(new BigDecimal("1E+999999999"))).isEqualTo("1E+999999999");
    }

    @Test
    void aListGivesSeveralKeysSortedAndWithoutDuplicates() {
        assertThat(keys("#list")).containsExactly("l1", "l2");
        assertThat(keys("{#id, 'a', #id}")).containsExactly("a", "i1");
        assertThat(keys("{'z-' + #id, 'a'}")).containsExactly("a", "z-i1");
        assertThat(keys("#users.![id]")).containsExactly("42", "7");
        assertThat(keys("#users.!['u' + id]")).containsExactly("u42", "u7");
    }

    static Stream<Object> stableValues() {
        return Stream.of(
                "text",
                new StringBuilder("builder"),
                7,
                7L,
                7.5,
                'c',
                true,
                UUID.fromString("00000000-0000-0000-0000-000000000001"),
                Uuid.Companion.parse("00000000-0000-0000-0000-000000000001"),
                TimeUnit.DAYS,
                LocalDate.of(2026, 11, 21),
                java.time.Duration.ofSeconds(1),
                Object.class);
    }

    @ParameterizedTest
    @MethodSource("stableValues")
    void aValueWithAStableTextIsAKey(Object value) {
        String expected = value instanceof Class<?> type ? type.getName() : value.toString();
        assertThat(keys("#id", value)).containsExactly(expected);
        assertThat(keys("'k-' + #id", value)).containsExactly("k-" + expected);
    }

    @Test
    void aTypeOfTheApplicationMustNotGiveNull() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys("'order-' + #id", new OrderId(null)))
                .withMessageContaining("LockKeyType");
    }

    /** Two services may name the constants of their enums differently. */
    @Test
    void aTypeOfTheApplicationComesBeforeTheKnownTypes() {
        LockKeyEvaluator own = new LockKeyEvaluator(() -> List.of(
                new LockKeyType<>(TimeUnit.class, unit -> unit.name().substring(0, 1)),
                new LockKeyType<>(Path.class, path -> "path"),
                new LockKeyType<>(List.class, list -> "list")));
        assertThat(keys(own, "#id", TimeUnit.DAYS)).containsExactly("D");
        assertThat(keys(own, "'k-' + #id", TimeUnit.DAYS)).containsExactly("k-D");
        assertThat(keys(own, "#id", Path.of("a", "b"))).containsExactly("path");
        assertThat(keys(own, "#id", List.of(1, 2))).containsExactly("list");
        assertThat(keys(own, "#id", "text")).containsExactly("text");
        LockKeyEvaluator ofAll =
                new LockKeyEvaluator(() -> List.of(new LockKeyType<>(Object.class, any -> "any-" + any)));
        assertThat(keys(ofAll, "#id", List.of(1, 2))).containsExactly("any-1", "any-2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"#id", "'k-' + #id"})
    void anArrayOfBytesIsToBePassedAsText(String expression) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys(expression, "a".getBytes()))
                .withMessageContaining(
                        "a byte[] has no text that is the same in every process; pass its text in its place");
    }

    static Stream<Object> unstableValues() {
        return Stream.of(
                new Object(),
                new User(1, null),
                Map.of("a", "b"),
                new OwnNumber(),
                "a".getBytes(),
                "a".toCharArray(),
                List.of(List.of("nested")),
                new Object[] {new Object()},
                java.util.Optional.of("a"));
    }

    @ParameterizedTest
    @MethodSource("unstableValues")
    void aValueWithoutAStableTextIsRefused(Object value) {
        assertNoKey("#id", value);
    }

    @ParameterizedTest
    @MethodSource("unstableValues")
    void aValueWithoutAStableTextIsNoPartOfAKey(Object value) {
        assertNoKey("'k-' + #id", value);
    }

    @Test
    void aValueWithoutAStableTextIsNoPartOfAKeyInAProjectionEither() {
        assertNoKey("#users.!['u' + #this]", "i1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#users.!['u-' + none]",
                "#users?.!['u-' + none]",
                "#users.![{'u-' + none}[0]]",
                "{'u-' + #user.none}[0]",
                "#users.!['u-' + none][0]"
            })
    void nullIsNoPartOfAKeyInAProjectionEither(String expression) {
        assertNoKey(expression, "i1");
    }

    @Test
    void aProjectionReadsWhateverCanBeIterated() {
        Iterable<User> page = List.of(new User(42, null))::iterator;
        assertThat(keys("#id.!['u-' + id]", page)).containsExactly("u-42");
        assertNoKey("#id.!['u-' + none]", page);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#id",
                "'k-' + #id",
                "#id + '-k'",
                "{'a', #id}",
                "{'a', 'k-' + #id}",
                "#id ?: null",
                "true ? 'k-' + #id : 'x'"
            })
    void nullIsRefusedAndNotWrittenAsAWord(String expression) {
        assertNoKey(expression, new Object[] {null});
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void aBlankKeyIsRefused(String value) {
        assertNoKey("#id", value);
    }

    @Test
    void anUnpairedSurrogateIsRefused() {
        assertNoKey("#id", "\ud800");
    }

    @Test
    void anEmptyListIsRefused() {
        assertNoKey("#id", List.of());
    }

    @Test
    void aListWithNullIsRefused() {
        assertNoKey("#id", Arrays.asList("a", null));
    }

    @Test
    void arraysOfNumbersAreKeys() {
        assertThat(keys("#id", new int[] {3, 1, 3})).containsExactly("1", "3");
        assertThat(keys("#id", Set.of("b", "a"))).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#{systemProperties}", "T(java.lang.Runtime).getRuntime()", "${user.home}", "#id", "' + #id + '"
            })
    void argumentsAreDataWhateverTheyLookLike(String value) {
        assertThat(keys("#id", value)).containsExactly(value);
        assertThat(keys("'k' + #id", value)).containsExactly("k" + value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "T(java.lang.System).currentTimeMillis()",
                "T(java.lang.System)",
                "new java.util.Date()",
                "@someBean",
                "@someBean.key",
                "#user.id = 3",
                "#user.id++",
                "--#user.id",
                "#id.length()",
                "#id.toString()",
                "'a' + #user.getId()",
                "#list.size()",
                "#fn('a')",
                "{T(java.lang.System)}",
                "#users.![getId()]",
            })
    void whatIsNotReadingIsRefusedBeforeAnyCall(String expression) {
        assertThatExceptionOfType(LockDeclarationException.class).isThrownBy(() -> spec(expression));
    }

    @Test
    void anUnknownVariableIsRefusedAndTheKnownOnesAreNamed() {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> spec("#usr.id"))
                .withMessageContaining("no parameter #usr")
                .withMessageContaining("#user")
                .withMessageContaining("#p0");
    }

    @Test
    void aMethodWithoutParametersHasTheRootOnly() {
        LockKeyParameters none = new LockKeyParameters(Map.of(), 0, true);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockKeyExpression.parse("#id", none))
                .withMessage("there is no parameter #id; it can use #root");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nightly", "service-a", "user.id"})
    void textWithoutQuotesIsRefusedWithAHint(String expression) {
        assertThatExceptionOfType(LockDeclarationException.class)
                .isThrownBy(() -> spec(expression))
                .withMessageContaining("quotes");
    }

    @Test
    void aPropertyThatIsNotThereNamesMethodAndExpression() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys("#user.nothing"))
                .withMessageContaining("#user.nothing")
                .withMessageContaining("LockKeyTests$Work.work(");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            "#id"                  | #id ?: 'none'
            "#id.name"             | #id?.name ?: 'none'
            "#id.name.first"       | #id?.name?.first ?: 'none'
            'x' + #id              | 'x' + (#id ?: 'none')
            'x' + #id.name         | 'x' + (#id?.name ?: 'none')
            'x#id.name' + #id.name | 'x#id.name' + (#id?.name ?: 'none')
            "#p0.name + #user.id"  | (#p0?.name ?: 'none') + #user.id
            {#user.id, #id.name}   | {#user.id, (#id?.name ?: 'none')}
            """)
    void anArgumentThatIsNullIsNamedWithADefaultThatGivesAKey(String expression, String withDefault) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys(expression, new Object[] {null}))
                .withMessageContaining(" is null: check it before the call")
                .withMessageEndingWith(", or give the key a default, such as \"" + withDefault + "\"");
        assertThat(keys(withDefault, new Object[] {null})).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            "#user.none.city"                 | #user.none?.city ?: 'none'
            'x' + #user.none.city             | 'x' + (#user.none?.city ?: 'none')
            "#user.none.city.name + #user.id" | (#user.none?.city?.name ?: 'none') + #user.id
            "#user.none.city + #id" | (#user.none?.city ?: 'none') + (#id ?: 'none')
            """)
    void aPropertyThatIsNullIsNamedWithADefaultThatGivesAKey(String expression, String withDefault) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys(expression, new Object[] {null}))
                .withMessageContaining("The value before '.city' is null: check it before the call")
                .withMessageEndingWith(", or give the key a default, such as \"" + withDefault + "\"");
        assertThat(keys(withDefault, new Object[] {null})).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"#id[0]", "#id.![name]", "#id.name > 3 ? 'a' : 'b'", "#list.![#this + #id]"})
    void noDefaultIsGivenWhereItMayHaveAnotherMeaning(String expression) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys(expression, new Object[] {null}))
                .withMessageEndingWith("#id is null: check it before the call");
    }

    @Test
    void aClassWithoutParameterNamesSaysSo() {
        LockKeyParameters unnamed = new LockKeyParameters(Map.of("p0", 0, "a0", 0), 1, false);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LockKeyExpression.parse("#id", unnamed))
                .withMessageContaining("-parameters")
                .withMessageContaining("#p0");
    }

    @Test
    void onlyAnArgumentByItselfIsReadWithoutTheLanguage() {
        LockKeyParameters parameters = new LockKeyParameters(Map.of("id", 0, "root", 1), 2, true);
        assertThat(LockKeyExpression.parse("#id", parameters).argument()).isZero();
        assertThat(LockKeyExpression.parse("#id", parameters).parsed()).isNull();
        assertThat(LockKeyExpression.parse("#root", parameters).argument()).isNull();
        assertThat(LockKeyExpression.parse("#id.name", parameters).argument()).isNull();
        assertThat(LockKeyExpression.parse("'a' + #id", parameters).argument()).isNull();
    }

    @Test
    void typesOfTheJdkWithAStableTextAreKeys() {
        assertThat(keys("#id", URI.create("urn:a"))).containsExactly("urn:a");
        assertThat(keys("'c-' + #id", Currency.getInstance("EUR"))).containsExactly("c-EUR");
        assertThat(keys("#id", Locale.JAPAN)).containsExactly("ja_JP");
        assertThat(keys("#id", ZoneId.of("Europe/Berlin"))).containsExactly("Europe/Berlin");
    }

    @Test
    void typesOfTheApplicationAreKeysIfTheyAreDeclared() {
        OrderId order = new OrderId("o1");
        assertThat(keys("#id", order)).containsExactly("o1");
        assertThat(keys("'order-' + #id", order)).containsExactly("order-o1");
        assertThat(keys("{#id, 'a'}", order)).containsExactly("a", "o1");
        assertThat(keys("#id", List.of(order))).containsExactly("o1");
    }

    private void assertNoKey(String expression, Object... id) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> keys(expression, id))
                .withMessageContaining(expression)
                .withMessageContaining("LockKeyTests$Work.work(");
    }

    private List<String> keys(String expression) {
        return keys(expression, "i1");
    }

    private List<String> keys(String expression, Object... id) {
        return keys(evaluator, expression, id);
    }

    private static List<String> keys(LockKeyEvaluator evaluator, String expression, Object... id) {
        Object[] arguments = {
            id.getClass() == Object[].class && id.length == 1 ? id[0] : id,
            new User(42, null),
            Map.of("k", "v"),
            List.of("l1", "l2"),
            List.of(new User(42, null), new User(7, null))
        };
        return evaluator.evaluate(spec(expression), new Work(), Work.class, arguments);
    }

    private static LockSpec spec(String expression) {
        MergedAnnotation<DistributedLock> annotation =
                MergedAnnotation.of(DistributedLock.class, Map.of("key", expression, "value", expression));
        return new LockSpecParser(text -> text).parse(annotation, METHOD, Work.class);
    }

    private static Method method() {
        return Arrays.stream(Work.class.getDeclaredMethods())
                .filter(one -> one.getName().equals("work"))
                .findFirst()
                .orElseThrow();
    }

    public enum Kind {
        ADMIN {
            @Override
            public String toString() {
                return "not the name";
            }
        }
    }

    record OrderId(String code) {}

    public record User(int id, String none) {

        public Optional<String> getNick() {
            return Optional.empty();
        }

        public Optional<String> getName() {
            return Optional.of("jo");
        }

        public Kind getKind() {
            return Kind.ADMIN;
        }
    }

    static final class OwnNumber extends Number {

        private static final long serialVersionUID = 1L;

        @Override
        public int intValue() {
            return 1;
        }

        @Override
        public long longValue() {
            return 1;
        }

        @Override
        public float floatValue() {
            return 1;
        }

        @Override
        public double doubleValue() {
            return 1;
        }
    }

    public static class Work {

        public String getRegion() {
            return "eu";
        }

        void work(Object id, User user, Map<String, String> map, List<String> list, List<User> users) {}
    }
}
