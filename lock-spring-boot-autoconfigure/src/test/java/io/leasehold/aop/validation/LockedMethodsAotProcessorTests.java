package io.leasehold.aop.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockKeyRoot;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;

/** What a native image is told of locked methods. */
class LockedMethodsAotProcessorTests {

    @Test
    void theFallbackCanBeCalled() throws Exception {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Work.class.getDeclaredMethod("instead", User.class))
                        .test(hintsOf(Work.class)))
                .isTrue();
    }

    @Test
    void thePropertiesOfArgumentsCanBeRead() {
        RuntimeHints hints = hintsOf(Work.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(User.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hints))
                .isTrue();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(LockKeyRoot.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hints))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {Order.class, Customer.class, Address.class, Line.class, Item.class, Tag.class, LocalDate.class})
    <T> void thePropertiesOfPropertiesCanBeRead(Class<T> type) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(type)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hintsOf(Orders.class)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(classes = {Customer.class, Bonus.class})
    <T> void implementationsOfSealedTypesAndPublicFieldsCanBeRead(Class<T> type) {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(type)
                        .withMemberCategory(MemberCategory.ACCESS_PUBLIC_FIELDS)
                        .test(hintsOf(Fields.class)))
                .isTrue();
    }

    @Test
    void thePropertiesOfTheArgumentsOfARepositoryCanBeRead() {
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(User.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)
                        .test(hintsOf(RepositoryFactory.class)))
                .isTrue();
    }

    @Test
    void aTypeThatNoKeyReadsIsNotKept() {
        assertThat(RuntimeHintsPredicates.reflection().onType(Address.class).test(hintsOf(Fields.class)))
                .isFalse();
    }

    @Test
    void aTypeThatContainsItselfIsFollowedAsFarAsTheKeyGoes() {
        assertThat(RuntimeHintsPredicates.reflection().onType(Nested.class).test(hintsOf(Recursive.class)))
                .isTrue();
    }

    @Test
    void theAnnotationCanBeSynthesized() {
        assertThat(RuntimeHintsPredicates.proxies()
                        .forInterfaces(DistributedLock.class)
                        .test(hintsOf(Work.class)))
                .isTrue();
    }

    @Test
    void beansWithoutLockedMethodsAddNothing() {
        assertThat(RuntimeHintsPredicates.reflection().onType(LockKeyRoot.class).test(hintsOf(User.class)))
                .isFalse();
    }

    private static RuntimeHints hintsOf(Class<?> bean) {
        TestGenerationContext generation = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(bean);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        return generation.getRuntimeHints();
    }

    interface Repository {

        @DistributedLock("#user.id")
        void close(User user);
    }

    /** Makes the repository, as the factories of Spring Data do. */
    static class RepositoryFactory implements FactoryBean<Repository> {

        @Override
        public Repository getObject() {
            return user -> {};
        }

        @Override
        public Class<?> getObjectType() {
            return Repository.class;
        }
    }

    public static class User {

        public int getId() {
            return 1;
        }
    }

    public static class Work {

        @DistributedLock(key = "#user.id", fallbackMethod = "instead")
        public String work(User user) {
            return "";
        }

        private String instead(User user) {
            return "";
        }
    }

    public static class Order {

        public Customer getCustomer() {
            return new Customer();
        }

        public Map<String, List<Line>> getLines() {
            return Map.of();
        }

        public Tag[] getTags() {
            return new Tag[0];
        }
    }

    public static final class Customer implements Party {

        public String code = "";

        public Holder<Address> getHolder() {
            return new Holder<>(new Address("", LocalDate.EPOCH));
        }
    }

    public sealed interface Party permits Customer, Bonus {}

    public static final class Bonus implements Party {}

    public static class Holder<T> {

        private final T content;

        Holder(T content) {
            this.content = content;
        }

        public T getContent() {
            return content;
        }
    }

    public record Address(String street, LocalDate since) {}

    public record Line(Optional<Item> item) {}

    public record Item(String id) {}

    public record Tag(String id) {}

    public static class Nested<T> {

        public Nested<List<T>> getNext() {
            return new Nested<>();
        }
    }

    public static class Orders {

        @DistributedLock("#o.customer.holder.content.since.year + '-' + #o.lines['a'][0].item?.id + #o.tags.![id]")
        public void work(Order o) {}
    }

    public static class Fields {

        @DistributedLock("#party.code")
        public void work(Party party) {}
    }

    public static class Recursive {

        @DistributedLock("#n.next.next.next")
        public void work(Nested<String> n) {}
    }
}
