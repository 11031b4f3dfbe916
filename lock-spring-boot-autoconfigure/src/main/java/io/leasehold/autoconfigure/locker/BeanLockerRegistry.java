package io.leasehold.autoconfigure.locker;

import io.leasehold.LockBackendException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.autoconfigure.property.LockConfigurationException;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.locker.RuntimeLocker;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.core.env.Environment;

/**
 * The locker beans by name. Configured lockers have the name in the configuration. Lockers that the application defines
 * have the bean name without the suffix {@code Locker}. The registry includes the lockers that were created at run
 * time, and that of a parent context.
 */
public final class BeanLockerRegistry implements LockerRegistry, DisposableBean {

    private final ListableBeanFactory beans;

    private final Function<String, LockerStatus> status;

    private final Map<String, Locker> created;

    private final @Nullable LockerRegistry parent;

    private final Map<String, String> beanNames = new TreeMap<>();

    private volatile boolean closed;

    /** Creates the registry. It has no lockers of run time if a test replaces the bean that creates them. */
    public BeanLockerRegistry(
            ListableBeanFactory beans,
            Environment environment,
            @Nullable CreatedLockers created,
            Function<String, LockerStatus> status) {
        this.beans = beans;
        this.created = created == null ? Map.of() : created.open();
        this.status = status;
        this.parent = inParent(beans, LockerRegistry.class);
        for (LockerName name : LockerNames.configuredIn(environment)) {
            beanNames.put(name.value(), name.beanName());
        }
        for (String beanName : beans.getBeanNamesForType(Locker.class, true, false)) {
            if (!beanNames.containsValue(beanName)) {
                String other = beanNames.putIfAbsent(LockerName.ofBean(beanName), beanName);
                if (other != null) {
                    throw ambiguous(LockerName.ofBean(beanName), beanName, other);
                }
            }
        }
        if (parent != null && beans instanceof HierarchicalBeanFactory child) {
            beanNames.values().removeIf(beanName -> !child.containsLocalBean(beanName));
        }
    }

    /** One of the beans would be the locker, and the other one, which may decorate it, would be passed over. */
    private static LockConfigurationException ambiguous(String name, String one, String other) {
        // a configured locker and one that replaces it have the suffix
        String free = other.equals(name) ? other : one;
        String kept = free.equals(one) ? other : one;
        return new LockConfigurationException(
                LockerName.PARENT + "." + name,
                null,
                "is the locker of two beans, '" + free + "' and '" + kept
                        + "', since the suffix 'Locker' does not count",
                "Give the bean '" + free + "' another name, which is then the name of its locker, or the name '" + kept
                        + "' to replace the other one.");
    }

    /** The only bean of a type that a parent context has, {@code null} if there is none. */
    public static <T> @Nullable T inParent(BeanFactory beans, Class<T> type) {
        BeanFactory parent = beans instanceof HierarchicalBeanFactory child ? child.getParentBeanFactory() : null;
        return parent == null ? null : parent.getBeanProvider(type).getIfUnique();
    }

    @Override
    public Locker get(String name) {
        if (parent != null && isOfParent(name)) {
            return parent.get(name);
        }
        Locker atRunTime = created.get(name);
        if (atRunTime != null) {
            return atRunTime;
        }
        String beanName = beanName(name);
        if (closed && !exists(beanName)) {
            // a closed bean factory would make the bean again, and an engine that nothing closes
            throw new LockBackendException(
                    "locker '" + name
                            + "' cannot be used, since the application context is closed. End the work before it"
                            + " is closed",
                    name,
                    "",
                    null);
        }
        try {
            return beans.getBean(beanName, Locker.class);
        } catch (BeanCreationNotAllowedException ex) {
            throw new LockBackendException(
                    "locker '" + name + "' was not used before, and the application is being shut down", name, "", ex);
        }
    }

    @Override
    public Set<String> names() {
        Set<String> names = new TreeSet<>(beanNames.keySet());
        names.addAll(created.keySet());
        if (parent != null) {
            names.addAll(parent.names());
        }
        return Collections.unmodifiableSet(names);
    }

    @Override
    public LockerStatus status(String name) {
        if (parent != null && isOfParent(name)) {
            return parent.status(name);
        }
        return status.apply(created.containsKey(name) ? name : lockerOf(beanName(name), name));
    }

    /** A bean can be a locker that was created at run time under another name. Creates no bean. */
    private String lockerOf(String beanName, String name) {
        if (beans instanceof SingletonBeanRegistry singletons
                && exists(beanName)
                && singletons.getSingleton(beanName) instanceof RuntimeLocker locker
                && created.containsKey(locker.name())) {
            return locker.name();
        }
        return name;
    }

    private boolean exists(String beanName) {
        return beans instanceof SingletonBeanRegistry singletons && singletons.containsSingleton(beanName);
    }

    @Override
    public void destroy() {
        closed = true;
    }

    private boolean isOfParent(String name) {
        return parent != null
                && !beanNames.containsKey(name)
                && !created.containsKey(name)
                && parent.names().contains(name);
    }

    private String beanName(String name) {
        String beanName = beanNames.get(name);
        if (beanName == null) {
            throw new NoSuchLockerException(name, names());
        }
        return beanName;
    }
}
