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
import org.springframework.beans.factory.BeanCreationNotAllowedException;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * The locker beans by name: the configured ones by the name in the configuration, others, which the application has
 * defined itself, by the name of the bean without {@code Locker} at its end.
 */
public final class BeanLockerRegistry implements LockerRegistry {

    private final ListableBeanFactory beans;

    private final LockerFactory lockers;

    private final Map<String, String> beanNames = new TreeMap<>();

    public BeanLockerRegistry(ListableBeanFactory beans, LockerFactory lockers, LockerConfigurations configurations) {
        this.beans = beans;
        this.lockers = lockers;
        for (String beanName : beans.getBeanNamesForType(Locker.class, true, false)) {
            beanNames.put(LockerName.ofBean(beanName), beanName);
        }
        for (LockerName name : configurations.names()) {
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
        return lockers.status(name);
    }

    private String beanName(String name) {
        String beanName = beanNames.get(name);
        if (beanName == null) {
            throw new NoSuchLockerException(name, names());
        }
        return beanName;
    }
}
