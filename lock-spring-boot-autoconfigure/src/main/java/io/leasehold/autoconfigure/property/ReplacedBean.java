package io.leasehold.autoconfigure.property;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** A bean of this library that a bean of the application replaces, so that its properties have no effect. */
public final class ReplacedBean {

    private static final Logger log = LoggerFactory.getLogger(ReplacedBean.class);

    private ReplacedBean() {}

    /**
     * Warns of a property that is set although the bean that uses it is not defined, in this context or a parent.
     *
     * @param property the name of the property
     * @param replaced the name of the bean that uses it
     * @param replacements the types of beans that replace it
     */
    public static void warnOf(
            Environment environment,
            String property,
            ListableBeanFactory beans,
            String replaced,
            Class<?>... replacements) {
        // that of a parent context uses the property too
        if (!beans.containsBean(replaced)
                && Binder.get(environment).bind(property, String.class).isBound()) {
            log.warn(
                    "'{}'{} has no effect, because the application defines the bean '{}'. Remove that bean or the"
                            + " property",
                    property,
                    PropertyOrigin.phrase(environment, property),
                    names(beans, replacements));
        }
    }

    /** The names of the beans of these types, to stand between quotation marks. */
    public static String names(ListableBeanFactory beans, Class<?>... types) {
        return Stream.of(types)
                .flatMap(type ->
                        Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false)))
                .collect(Collectors.joining("', '"));
    }
}
