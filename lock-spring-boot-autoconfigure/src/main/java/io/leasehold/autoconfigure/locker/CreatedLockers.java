package io.leasehold.autoconfigure.locker;

import io.leasehold.Locker;
import io.leasehold.engine.LockerSettings;
import io.leasehold.locker.DelegatingLocker;
import io.leasehold.locker.RuntimeLocker;
import io.leasehold.locker.RuntimeLockers;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** The lockers that the application has created at run time and not closed. */
public final class CreatedLockers implements RuntimeLockers {

    private final Source source;

    private final Supplier<Set<String>> taken;

    private final Map<String, Locker> open = new ConcurrentHashMap<>();

    private final Set<String> inCreation = ConcurrentHashMap.newKeySet();

    /**
     * Creates an empty set of lockers.
     *
     * @param source creates and closes them
     * @param taken the names of all lockers of the application
     */
    public CreatedLockers(Source source, Supplier<Set<String>> taken) {
        this.source = source;
        this.taken = taken;
    }

    /** Holds no monitor while it creates beans: another thread may create a bean that calls this method. */
    @Override
    public RuntimeLocker create(String name, UnaryOperator<LockerSettings> settings) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException("the name of a locker must consist of letters, digits and '.', '_', '-',"
                    + " and begin with a letter or digit: '" + name + "'. Choose another name");
        }
        if (!inCreation.add(name)) {
            throw exists(name);
        }
        try {
            if (open.containsKey(name) || taken.get().contains(name)) {
                throw exists(name);
            }
            Locker locker = source.open(name, settings);
            open.put(name, locker);
            source.opened(name);
            return new Closeable(locker);
        } finally {
            inCreation.remove(name);
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

        /** Forgets a closed locker, before its name is free. */
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
            // the name stays taken until the store has answered: a successor must not see locks of this locker
            source.close(name());
            source.forget(name());
            open.remove(name(), delegate());
        }
    }
}
