package io.leasehold.aop;

import java.util.function.UnaryOperator;

/** Replaces <code>${...}</code> in attributes, and leaves none unresolved. */
final class Placeholders {

    private final UnaryOperator<String> resolver;

    Placeholders(UnaryOperator<String> resolver) {
        this.resolver = resolver;
    }

    /**
     * Replaces the placeholders of a text.
     *
     * @throws IllegalArgumentException if one of them has no value
     */
    String resolve(String text) {
        String resolved = resolver.apply(text).strip();
        if (resolved.contains("${")) {
            throw new IllegalArgumentException("there is no value for the placeholder '" + resolved + "'");
        }
        return resolved;
    }
}
