package io.leasehold.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one application context that read its objects, in a registry that other contexts may use as well. A
 * registry has one meter of each name and tags, which is that of the first context. When the first one removes it, the
 * next context registers its own. A filter of the registry may also merge the meters of one context. It is thread-safe.
 */
public final class SharedMeters implements AutoCloseable {

    /** Also the monitor of all fields. An owner that is never closed must not stay in memory. */
    private static final Set<SharedMeters> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    private final Map<Tags, List<Entry>> entries = new HashMap<>();

    private final Map<Tags, List<Meter>> kept = new HashMap<>();

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
     * Counts meters that read no object among those of a group. They outlive the close, with their values.
     *
     * @param group the tags that they have in common
     * @param registered the meters, as the registry has returned them
     */
    public void keep(Tags group, List<Meter> registered) {
        synchronized (OPEN) {
            kept.put(group, List.copyOf(registered));
        }
    }

    /**
     * Removes the meters of a group, but for those that are also part of another group or of another context.
     *
     * @param group their common tags
     */
    public void remove(Tags group) {
        synchronized (OPEN) {
            removeEntries(group);
            for (Meter meter : Objects.requireNonNullElse(kept.remove(group), List.<Meter>of())) {
                if (open().noneMatch(other -> other.keeps(meter))) {
                    registry.remove(meter);
                }
            }
        }
    }

    private void removeEntries(Tags group) {
        List<Entry> removed = Objects.requireNonNullElse(entries.remove(group), List.<Entry>of());
        removed.forEach(entry -> entry.remove(registry));
        if (removed.stream().allMatch(entry -> entry.registered == null)) {
            return;
        }
        open().flatMap(other -> other.entries.values().stream())
                .flatMap(List::stream)
                .forEach(entry -> entry.registerIfFree(registry));
    }

    private Stream<SharedMeters> open() {
        return OPEN.stream().filter(other -> other.registry == registry);
    }

    private boolean keeps(Meter meter) {
        return kept.values().stream().flatMap(List::stream).anyMatch(other -> other == meter);
    }

    /** Removes all meters of this context that read its objects. */
    @Override
    public void close() {
        synchronized (OPEN) {
            OPEN.remove(this);
            List.copyOf(entries.keySet()).forEach(this::removeEntries);
        }
    }

    private static boolean isRegistered(Meter meter) {
        return OPEN.stream()
                .flatMap(owner -> owner.entries.values().stream())
                .flatMap(List::stream)
                .anyMatch(entry -> entry.registered == meter);
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
