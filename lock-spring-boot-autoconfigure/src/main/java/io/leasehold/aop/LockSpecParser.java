package io.leasehold.aop;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import java.lang.reflect.Method;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;

/** Reads an annotation into a spec, and refuses what cannot work. */
final class LockSpecParser {

    private final Placeholders placeholders;

    private final LockTermsParser terms;

    LockSpecParser(Placeholders placeholders) {
        this.placeholders = placeholders;
        this.terms = new LockTermsParser(placeholders);
    }

    LockSpec parse(MergedAnnotation<DistributedLock> annotation, Method method, Class<?> targetClass) {
        DistributedLock lock = annotation.synthesize();
        LockKeyExpression key = key(lock, method, annotated(annotation, method));
        LockSpec spec = new LockSpec(
                method,
                locker(lock, method),
                key,
                terms.parse(lock, method),
                lock.onFailure(),
                lock.onLost(),
                FallbackFinder.find(lock.fallbackMethod(), method, targetClass),
                HandleArguments.positions(method),
                ResultKinds.of(method, targetClass));
        requireSkippable(spec);
        return spec;
    }

    private static void requireSkippable(LockSpec spec) {
        Fallback fallback = spec.fallback();
        boolean falls = fallback != null && fallback.handles().isAssignableFrom(LockNotAcquiredException.class);
        if (spec.result() == ResultKind.PRIMITIVE && spec.onFailure() == OnFailure.SKIP && !falls) {
            throw new UnsupportedLockResultException(
                    spec.method(),
                    "onFailure",
                    "SKIP",
                    "it returns " + spec.method().getReturnType() + ", which cannot say that the call was skipped",
                    "Return an Optional or an object, name a fallbackMethod, or use onFailure = THROW");
        }
    }

    private static Method annotated(MergedAnnotation<DistributedLock> annotation, Method method) {
        return annotation.getRoot().getSource() instanceof Method source
                        && source.getParameterCount() == method.getParameterCount()
                ? source
                : method;
    }

    private static LockKeyExpression key(DistributedLock lock, Method method, Method annotated) {
        String text = lock.key();
        if (text.isBlank()) {
            throw new InvalidLockKeyExpressionException(
                    method,
                    text,
                    "there is no key",
                    "Set key to what is to be locked, such as \"#id\" or \"'report'\"",
                    null);
        }
        try {
            return LockKeyExpression.parse(text, LockKeyParameters.of(method, annotated));
        } catch (ParseException ex) {
            throw new InvalidLockKeyExpressionException(
                    method,
                    text,
                    "the key is not a valid expression: " + ex.getSimpleMessage() + " (at position " + ex.getPosition()
                            + ")",
                    "Correct the expression; text needs quotes of its own, as in \"'report'\"",
                    ex);
        } catch (IllegalArgumentException ex) {
            throw new InvalidLockKeyExpressionException(
                    method, text, "the key cannot work: " + ex.getMessage(), "Correct the expression", ex);
        }
    }

    private String locker(DistributedLock lock, Method method) {
        String name;
        try {
            name = placeholders.resolve(lock.locker());
        } catch (IllegalArgumentException ex) {
            throw new UnknownLockerException(
                    method,
                    lock.locker(),
                    String.valueOf(ex.getMessage()),
                    "Define the property, or name the locker itself");
        }
        if (name.isBlank()) {
            throw new UnknownLockerException(
                    method,
                    lock.locker(),
                    "there is no locker without a name",
                    "Leave the attribute out for 'default'");
        }
        return name;
    }
}
