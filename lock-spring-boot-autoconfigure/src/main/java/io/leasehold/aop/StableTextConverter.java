package io.leasehold.aop;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/** Puts text together from stable parts only, wherever in an expression that happens. */
final class StableTextConverter implements TypeConverter {

    private final TypeConverter standard = new StandardTypeConverter();

    @Override
    public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
        return targetType.getType() == String.class || standard.canConvert(sourceType, targetType);
    }

    @Override
    public @Nullable Object convertValue(
            @Nullable Object value, @Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
        return targetType.getType() == String.class
                ? StableText.of(value)
                : standard.convertValue(value, sourceType, targetType);
    }
}
