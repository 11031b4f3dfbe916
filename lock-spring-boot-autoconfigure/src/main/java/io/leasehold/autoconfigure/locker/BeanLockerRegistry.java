package io.leasehold.autoconfigure.locker;

import io.leasehold.LockBackendException;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import io.leasehold.autoconfigure.property.LockerName;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * The locker beans by name: the configured ones by the name in the configuration, others, which the application has
 * defined itself, by the name of the bean without {@code Locker} at its end.
 */
public final class BeanLockerRegistry implements LockerRegistry {

    private final ListableBeanFactory beans;

    private final Function<String, LockerStatus> status;

    private final Map<String, String> beanNames = new TreeMap<>();

    public BeanLockerRegistry(
            ListableBeanFactory beans, Environment environment, Function<String, LockerStatus> status) {
        this.beans = beans;
        this.status = status;
        for (String beanName : beans.getBeanNamesForType(Locker.class, true, false)) {
            beanNames.put(LockerName.ofBean(beanName), beanName);
        }
        for (LockerName name : LockerNames.configuredIn(environment)) {
            beanNames.remove(LockerName.ofBean(name.beanName()));
            beanNames.put(name.value(), name.beanName());
        }
    }

    @Override
    public Locker get(String name) {
        try {
            return beans.getBean(beanName(name), Locker.class);
        } catch (BeanCreationNotAllowedException ex) {
            throw new LockBackendException(
                    "locker '" + name + "' was not used before, and the application is being shut down", name, "", ex);
        }
    }

    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(beanNames.keySet());
    }

    @Override
    public LockerStatus status(String name) {
        beanName(name);
        return status.apply(name);
    }

    private String beanName(String name) {
        String beanName = beanNames.get(name);
        if (beanName == null) {
            throw new NoSuchLockerException(name, names());
        }
        return beanName;
    }
}
