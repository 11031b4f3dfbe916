package io.leasehold.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one application context that read its objects, in a registry that other contexts may use as well. A
 * registry has one meter of each name and tags, which is that of the first context. When the first one removes it, the
 * next context registers its own. It is thread-safe.
 */
public final class SharedMeters implements AutoCloseable {

    /** Also the monitor of all fields. An owner that is never closed must not stay in memory. */
    private static final Set<SharedMeters> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    private final Map<Tags, List<Entry>> entries = new HashMap<>();

    private final MeterRegistry registry;

    /** Creates the meters of a context, of which there are none yet. */
    public SharedMeters(MeterRegistry registry) {
        this.registry = registry;
        synchronized (OPEN) {
            OPEN.add(this);
        }
    }

    /**
     * Registers a meter, now or when another context has removed its own. Has no effect after the close.
     *
     * @param group the tags that the meter has in common with those that are removed together
     * @param meter its name
     * @param tags all of its tags
     * @param registration registers it
     */
    public void add(Tags group, LockMeters meter, Tags tags, Function<MeterRegistry, Meter> registration) {
        synchronized (OPEN) {
            if (OPEN.contains(this)) {
                Entry entry = new Entry(meter, tags, registration);
                entries.computeIfAbsent(group, none -> new ArrayList<>()).add(entry);
                entry.registerIfFree(registry);
            }
        }
    }

    /**
     * Removes the meters of a group.
     *
     * @param group their common tags
     * @return whether another context has meters of that group
     */
    public boolean remove(Tags group) {
        synchronized (OPEN) {
            entriesOf(group).forEach(entry -> entry.remove(registry));
            entries.remove(group);
            List<SharedMeters> others = OPEN.stream()
                    .filter(other -> other.registry == registry && other.entries.containsKey(group))
                    .toList();
            others.forEach(other -> other.entriesOf(group).forEach(entry -> entry.registerIfFree(registry)));
            return !others.isEmpty();
        }
    }

    /** Removes all meters of this context. */
    @Override
    public void close() {
        synchronized (OPEN) {
            OPEN.remove(this);
            List.copyOf(entries.keySet()).forEach(this::remove);
        }
    }

    private static boolean isRegistered(Meter meter) {
        return OPEN.stream()
                .flatMap(owner -> owner.entries.values().stream())
                .flatMap(List::stream)
                .anyMatch(entry -> entry.registered == meter);
    }

    private List<Entry> entriesOf(Tags group) {
        return entries.getOrDefault(group, List.of());
    }

    private static final class Entry {

        private final LockMeters meter;

        private final Tags tags;

        private final Function<MeterRegistry, Meter> registration;

        private @Nullable Meter registered;

        Entry(LockMeters meter, Tags tags, Function<MeterRegistry, Meter> registration) {
            this.meter = meter;
            this.tags = tags;
            this.registration = registration;
        }

        void registerIfFree(MeterRegistry registry) {
            if (registered == null
                    && registry.find(meter.meterName()).tags(tags).meter() == null) {
                Meter free = registration.apply(registry);
                // a meter whose name or tags a filter changes is not found, and the registry returns that of another
                registered = isRegistered(free) ? null : free;
            }
        }

        void remove(MeterRegistry registry) {
            if (registered != null) {
                registry.remove(registered);
            }
        }
    }
}
