package io.leasehold.autoconfigure.locker;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** The customizers of one type that the application defines. The first use looks them up. */
final class CustomizerBeans<T> {

    private final ListableBeanFactory beans;

    private final Class<T> type;

    private final FirstLookup<List<T>> ordered;

    CustomizerBeans(ListableBeanFactory beans, Class<T> type) {
        this.beans = beans;
        this.type = type;
        this.ordered = new FirstLookup<>(
                () -> beans.getBeanProvider(type).orderedStream().toList());
    }

    List<T> ordered() {
        return ordered.get();
    }

    /** The bean as the subject of a sentence. */
    String describe(T customizer) {
        String name = BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type).entrySet().stream()
                .filter(entry -> entry.getValue() == customizer)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> customizer.getClass().getName());
        return "the " + type.getSimpleName() + " bean '" + name + "'";
    }
}
