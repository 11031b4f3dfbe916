package io.leasehold.autoconfigure.locker;

import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** Looks up the customizers of the application, and names them in messages. */
final class CustomizerBeans {

    private CustomizerBeans() {}

    static <T> List<T> ordered(ListableBeanFactory beans, Class<T> type) {
        return beans.getBeanProvider(type).orderedStream().toList();
    }

    /** The bean as the subject of a sentence. */
    static <T> String describe(ListableBeanFactory beans, Class<T> type, T customizer) {
        String name = BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type).entrySet().stream()
                .filter(entry -> entry.getValue() == customizer)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(() -> customizer.getClass().getName());
        return "the " + type.getSimpleName() + " bean '" + name + "'";
    }
}
