package io.leasehold.autoconfigure.locker;

import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.LockCustomizerException;
import io.leasehold.locker.LockerCustomizer;
import io.leasehold.spi.LockId;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.StringUtils;

/** The {@link LockerCustomizer} beans, which are looked up when the first locker is created. */
public final class LockerCustomizers {

    private final CustomizerBeans<LockerCustomizer> customizers;

    public LockerCustomizers(ListableBeanFactory beans) {
        this.customizers = new CustomizerBeans<>(beans, LockerCustomizer.class);
    }

    LockerSettings apply(LockerSettings settings) {
        LockerSettings result = settings;
        for (LockerCustomizer customizer : customizers.ordered()) {
            result = apply(result, customizer::customize, () -> customizers.describe(customizer));
        }
        return result;
    }

    /** Applies the settings that the application passed for a locker of its own. */
    static LockerSettings apply(LockerSettings settings, UnaryOperator<LockerSettings> own) {
        return apply(settings, own, () -> "the function of RuntimeLockers.create");
    }

    private static LockerSettings apply(
            LockerSettings settings, UnaryOperator<LockerSettings> change, Supplier<String> subject) {
        @Nullable LockerSettings result;
        try {
            result = change.apply(settings);
            if (result != null) {
                LockId.of(result.namespace(), "key");
            }
        } catch (IllegalArgumentException ex) {
            throw new LockCustomizerException(
                    subject.get() + " cannot be applied to locker '" + settings.name() + "': "
                            + StringUtils.trimTrailingCharacter(String.valueOf(ex.getMessage()), '.'),
                    "Correct the setting there.",
                    ex);
        }
        if (result == null) {
            throw new LockCustomizerException(
                    subject.get() + " returned null for locker '" + settings.name() + "'",
                    "Return the settings that it receives, or changed ones.",
                    null);
        }
        if (!result.name().equals(settings.name())) {
            throw new LockCustomizerException(
                    subject.get() + " returned settings of locker '" + result.name() + "' for locker '"
                            + settings.name() + "'",
                    "Change the settings that it receives, by their 'with' methods, and keep the name.",
                    null);
        }
        return result;
    }
}
