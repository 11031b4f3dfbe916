package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.autoconfigure.property.LockerName;
import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.locker.RuntimeLocker;
import io.leasehold.locker.RuntimeLockers;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/** The lockers that the application has created at run time and not closed. */
public final class CreatedLockers implements RuntimeLockers {

    private final Source source;

    private final Predicate<String> taken;

    private final Map<String, Locker> open = new ConcurrentHashMap<>();

    /** From the beginning of the creation to the end of the close, and so before and after the locker is open. */
    private final Set<String> reserved = ConcurrentHashMap.newKeySet();

    /** Creates an empty set of lockers. */
    public CreatedLockers(
            Source source,
            ObjectProvider<LockerRegistry> registry,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        this(
                source,
                name -> registry.getObject().names().contains(name)
                        && (isConfigured(name, environment) || !isOfBeanInCreation(name, beans)));
    }

    CreatedLockers(Source source, Predicate<String> taken) {
        this.source = source;
        this.taken = taken;
    }

    /** Such a locker is not for a bean to create, since it would not have its properties. */
    private static boolean isConfigured(String name, Environment environment) {
        return LockerNames.configuredIn(environment).stream()
                .anyMatch(configured -> configured.value().equals(name));
    }

    /** The registry has the name of a bean already while the method of the bean creates the locker to return. */
    private static boolean isOfBeanInCreation(String name, ConfigurableListableBeanFactory beans) {
        return Stream.of(beans.getBeanNamesForType(Locker.class, true, false))
                .anyMatch(bean -> LockerName.ofBean(bean).equals(name) && beans.isCurrentlyInCreation(bean));
    }

    /** Holds no monitor while it creates beans: another thread may create a bean that calls this method. */
    @Override
    public RuntimeLocker create(String name, UnaryOperator<LockerSettings> settings) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException("the name of a locker must consist of letters, digits and '.', '_', '-',"
                    + " and begin with a letter or digit: '" + name + "'. Choose another name");
        }
        if (!reserved.add(name)) {
            throw exists(name);
        }
        Closeable created;
        try {
            if (taken.test(name)) {
                throw exists(name);
            }
            Locker locker = source.open(name, settings);
            open.put(name, locker);
            created = new Closeable(locker);
        } finally {
            if (!open.containsKey(name)) {
                reserved.remove(name);
            }
        }
        announce(created);
        return created;
    }

    /** The creator does not get a locker whose announcement fails, and so cannot close it. */
    private void announce(Closeable created) {
        try {
            source.opened(created.name());
        } catch (Throwable ex) {
            created.close();
            throw ex;
        }
    }

    private static IllegalArgumentException exists(String name) {
        return new IllegalArgumentException("there is a locker '" + name
                + "' already. Get it from the LockerRegistry, close it before, or choose another name");
    }

    /** The lockers by name, as they are at any time. */
    Map<String, Locker> open() {
        return open;
    }

    /** Creates and closes lockers. */
    public interface Source {

        /** Creates a locker from the defaults. */
        Locker open(String name, UnaryOperator<LockerSettings> settings);

        /** Called when a locker is in the registry. */
        default void opened(String name) {}

        /** Ends the locks of a locker. */
        default void close(String name) {}

        /** Forgets a closed locker that is not in the registry any more, before its name is free. */
        default void forget(String name) {}
    }

    private final class Closeable extends DelegatingLocker implements RuntimeLocker {

        private Closeable(Locker delegate) {
            super(delegate);
        }

        @Override
        public Locker withoutTransactions() {
            return delegate().withoutTransactions();
        }

        @Override
        public Locker withoutKeyCustomizers() {
            return delegate().withoutKeyCustomizers();
        }

        /** A second call at the same time waits, and does not close a successor of the same name. */
        @Override
        public synchronized void close() {
            if (open.get(name()) != delegate()) {
                return;
            }
            // the name stays reserved until the store has answered: a successor must not see locks of this locker
            source.close(name());
            // before it is forgotten: a late event of a locker that is open would register its meters again
            open.remove(name(), delegate());
            try {
                source.forget(name());
            } finally {
                reserved.remove(name());
            }
        }
    }
}
