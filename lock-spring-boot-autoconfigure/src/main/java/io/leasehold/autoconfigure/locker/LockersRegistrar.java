package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.autoconfigure.property.PropertyValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Defines one {@link Locker} bean for each entry of {@code lock.lockers}, with the entry's name as qualifier besides the
 * bean's name, unless the application has defined a bean of that name itself, or a parent context has that locker. A
 * warning reports settings that differ from those of the parent's locker.
 *
 * <p>The definitions name a factory method, so that ahead-of-time processing can generate code for them. The set of
 * lockers is then fixed at build time; their settings are still read at run time.
 *
 * <p>No locker has priority, not even {@code default}. If there are several, an injection point that names none of them
 * fails, because a fallback would silently lock in another namespace than the intended one.
 *
 * <p>A {@code default} locker that is not configured is created when it is first requested, so that an application
 * without any store starts as long as it uses no lock.
 */
public final class LockersRegistrar implements ImportBeanDefinitionRegistrar {

    private static final Logger log = LoggerFactory.getLogger(LockersRegistrar.class);

    private final Environment environment;

    public LockersRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
        SortedSet<LockerName> configured = LockerNames.configuredIn(environment);
        for (LockerName name : configured) {
            // explicitly, so that a wrong setting stops the start of lazy applications too
            register(name, definition(name, false), registry);
        }
        if (configured.stream().noneMatch(LockerName::isDefault)) {
            register(LockerName.DEFAULT, definition(LockerName.DEFAULT, true), registry);
        }
    }

    private void register(LockerName name, RootBeanDefinition definition, BeanDefinitionRegistry registry) {
        if (registry.containsBeanDefinition(name.beanName())) {
            return;
        }
        BeanFactory parent = registry instanceof HierarchicalBeanFactory beans ? beans.getParentBeanFactory() : null;
        if (parent != null && hasLocker(parent, name)) {
            warnOfOtherSettings(parent, name);
        } else {
            registry.registerBeanDefinition(name.beanName(), definition);
        }
    }

    /** Each name has one locker. A second one in another engine would not know the locks of the first. */
    private static boolean hasLocker(BeanFactory beans, LockerName name) {
        return beans.containsBean(name.beanName()) && beans.isTypeMatch(name.beanName(), Locker.class);
    }

    private void warnOfOtherSettings(BeanFactory parent, LockerName name) {
        Map<String, PropertyValue<String>> effective = settings(parent.getBean(Environment.class), name);
        // common settings may be for the lockers that the child adds
        String reported = addsLocker(parent) ? name.property() + "." : "lock.";
        List<String> different = settings(environment, name).entrySet().stream()
                .filter(setting -> !isSameValue(setting.getValue(), effective.get(setting.getKey())))
                .map(setting -> setting.getValue().property())
                .filter(property -> property.startsWith(reported))
                .sorted()
                .toList();
        if (!different.isEmpty()) {
            log.warn(
                    "{} have no effect on the locker '{}', since the parent of this application context has it with other"
                            + " values. Set them in the parent's configuration, or give this locker another name",
                    different,
                    name);
        }
    }

    private boolean addsLocker(BeanFactory parent) {
        return LockerNames.configuredIn(environment).stream().anyMatch(name -> !hasLocker(parent, name));
    }

    private static boolean isSameValue(PropertyValue<String> one, @Nullable PropertyValue<String> other) {
        return other != null && one.value().equals(other.value());
    }

    /** The settings of a locker, which are its own or the common ones. */
    private static Map<String, PropertyValue<String>> settings(Environment environment, LockerName name) {
        Binder binder = Binder.get(environment);
        Map<String, PropertyValue<String>> settings = new HashMap<>();
        binder.bind("lock.backend", String.class)
                .ifBound(backend -> settings.put("backend", new PropertyValue<>("lock.backend", backend)));
        for (String prefix : List.of("lock.defaults", name.property().toString())) {
            binder.bind(prefix, Bindable.mapOf(String.class, String.class))
                    .ifBound(values -> values.forEach(
                            (key, value) -> settings.put(key, new PropertyValue<>(prefix + "." + key, value))));
        }
        return settings;
    }

    private static RootBeanDefinition definition(LockerName name, boolean lazy) {
        RootBeanDefinition definition = new RootBeanDefinition();
        definition.setLazyInit(lazy);
        definition.setTargetType(Locker.class);
        definition.setFactoryBeanName(LockerFactory.BEAN);
        definition.setFactoryMethodName("locker");
        definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name.value());
        qualify(definition, name);
        return definition;
    }

    /**
     * Gives a locker its name as qualifier, as an annotation of a bean method does: the bean's name stays one too. A
     * qualifier of the definition itself would replace it.
     */
    static void qualify(RootBeanDefinition definition, LockerName name) {
        definition.setQualifiedElement(AnnotatedElementUtils.forAnnotations(
                MergedAnnotation.of(Qualifier.class, Map.of(MergedAnnotation.VALUE, name.value()))
                        .synthesize()));
    }
}
