package io.leasehold.aop.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The bean factories of parent contexts. Post-processors of the child do not process their beans. */
public final class Ancestors {

    private Ancestors() {}

    /** The ancestors of a bean factory, the nearest first. */
    public static List<ConfigurableListableBeanFactory> of(BeanFactory beanFactory) {
        List<ConfigurableListableBeanFactory> ancestors = new ArrayList<>();
        BeanFactory one = parent(beanFactory);
        while (one instanceof ConfigurableListableBeanFactory ancestor) {
            ancestors.add(ancestor);
            one = parent(ancestor);
        }
        return ancestors;
    }

    /** The singletons of a type that exist; creates none. */
    public static <T> List<T> existing(ConfigurableListableBeanFactory beanFactory, Class<T> type) {
        return Arrays.stream(beanFactory.getBeanNamesForType(type, true, false))
                .filter(beanFactory::containsSingleton)
                .map(name -> beanFactory.getBean(name, type))
                .toList();
    }

    private static @Nullable BeanFactory parent(BeanFactory beanFactory) {
        return beanFactory instanceof HierarchicalBeanFactory child ? child.getParentBeanFactory() : null;
    }
}
