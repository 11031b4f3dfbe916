package io.leasehold.annotation;

import java.util.Objects;
import java.util.function.Function;

/**
 * An application type whose values can be keys or parts of keys. Declare it as a bean:
 *
 * <pre class="code">
 * &#64;Bean
 * LockKeyType&lt;OrderId&gt; orderIds() {
 *     return new LockKeyType&lt;&gt;(OrderId.class, OrderId::value);
 * }
 * </pre>
 *
 * @param type the type, including its subtypes
 * @param text converts a value to text, which is equal in every process and distinct for values that are not equal
 * @param <T> the type
 */
public record LockKeyType<T>(Class<T> type, Function<? super T, String> text) {

    /** Rejects {@code null}. */
    public LockKeyType {
        Objects.requireNonNull(type);
        Objects.requireNonNull(text);
    }
}
