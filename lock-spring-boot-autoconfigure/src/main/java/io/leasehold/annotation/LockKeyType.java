package io.leasehold.annotation;

import java.util.Objects;
import java.util.function.Function;

/**
 * A type of the application's own whose values can be keys, or parts of keys. To be declared as a bean:
 *
 * <pre class="code">
 * &#64;Bean
 * LockKeyType&lt;OrderId&gt; orderIds() {
 *     return new LockKeyType&lt;&gt;(OrderId.class, OrderId::value);
 * }
 * </pre>
 *
 * @param type the type, with all that extend it
 * @param text gives the text of a value: the same in every process, and another one for each value that is not equal
 * @param <T> the type
 */
public record LockKeyType<T>(Class<T> type, Function<? super T, String> text) {

    /** Refuses {@code null}. */
    public LockKeyType {
        Objects.requireNonNull(type);
        Objects.requireNonNull(text);
    }
}
