package io.leasehold.aop.spec;

import io.leasehold.annotation.LockKeyType;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.net.URI;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * The text of a value as a part of a key, wherever in an expression it becomes text. Only of types whose text is the
 * same in every process: an identity {@code toString} would give each process a lock of its own, and {@code null} would
 * give all of them one.
 */
final class KeyTextConverter implements TypeConverter {

    /** A number with a great exponent would need a text as long. */
    private static final int MOST_ZEROS = 100;

    /** Its name ends so, or with a random text after that in older versions. */
    private static final Pattern PROXY_OF_HIBERNATE = Pattern.compile("\\$HibernateProxy(\\$|$)");

    static final String OPTIONAL = "an Optional has no text of its own";

    private final TypeConverter standard = new StandardTypeConverter();

    private final Supplier<List<LockKeyType<?>>> ownTypes;

    KeyTextConverter(Supplier<List<LockKeyType<?>>> ownTypes) {
        this.ownTypes = ownTypes;
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
        return targetType.getType() == String.class || standard.canConvert(sourceType, targetType);
    }

    @Override
    public @Nullable Object convertValue(
            @Nullable Object value, @Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
        return targetType.getType() == String.class
                ? text(value)
                : standard.convertValue(value, sourceType, targetType);
    }

    String text(@Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException("it is null");
        }
        LockKeyType<?> own = value instanceof String ? null : ownType(value);
        if (own != null) {
            return text(own, value);
        }
        if (value instanceof BigDecimal number) {
            return text(number);
        }
        if (value instanceof CharSequence
                || value instanceof Character
                || value instanceof Boolean
                || value instanceof UUID
                || value.getClass().getName().equals("kotlin.uuid.Uuid")
                || value instanceof URI
                || value instanceof Currency
                || value instanceof Locale
                || value instanceof ZoneId
                || (isOfJdk(value) && isNumberOrTime(value))) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Class<?> type) {
            if (isNamedAnew(type)) {
                throw new IllegalArgumentException(
                        type.getName() + " has another name in each process; use the name of an interface");
            }
            if (PROXY_OF_HIBERNATE.matcher(type.getName()).find()) {
                throw new IllegalArgumentException(
                        type.getName() + " is the class of a Hibernate proxy, and not that of the loaded entity;"
                                + " use Hibernate.getClass(entity)");
            }
            return type.getName();
        }
        if (value instanceof Optional<?>) {
            throw new IllegalArgumentException(OPTIONAL);
        }
        throw new IllegalArgumentException("a "
                + (value.getClass().isArray()
                        ? value.getClass().getSimpleName()
                                + " has no text that is the same in every process; pass its text in its place"
                        : value.getClass().getName()
                                + " has no text that is the same in every process; use a property of it, such as an id")
                + ", or declare a bean of type LockKeyType for it");
    }

    /** What the application declares for the type of a value, {@code null} if it declares nothing. */
    @Nullable
    LockKeyType<?> ownType(Object value) {
        for (LockKeyType<?> own : ownTypes.get()) {
            if (own.type().isInstance(value)) {
                return own;
            }
        }
        return null;
    }

    /** Whether each process gives the class another name: that of a proxy of the JDK, or of a lambda. */
    static boolean isNamedAnew(Class<?> type) {
        return Proxy.isProxyClass(type) || type.isHidden();
    }

    private static <T> String text(LockKeyType<T> type, Object value) {
        String text = type.text().apply(type.type().cast(value));
        if (text == null) {
            throw new IllegalArgumentException(
                    "the LockKeyType for " + type.type().getName() + " returned null");
        }
        return text;
    }

    /** The same for numbers that are equal: a column of a database adds zeros, as in 7.00. */
    private static String text(BigDecimal number) {
        BigDecimal stripped = number.stripTrailingZeros();
        return Math.abs(stripped.scale()) > MOST_ZEROS ? stripped.toString() : stripped.toPlainString();
    }

    private static boolean isNumberOrTime(Object value) {
        return value instanceof Number || value instanceof TemporalAccessor || value instanceof TemporalAmount;
    }

    private static boolean isOfJdk(Object value) {
        return value.getClass().getName().startsWith("java.");
    }
}
