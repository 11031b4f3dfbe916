package io.leasehold.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What happened to a store, in order. */
public final class ClosingOrder {

    private final List<String> events = new CopyOnWriteArrayList<>();

    public void add(String event) {
        events.add(event);
    }

    public List<String> events() {
        return List.copyOf(events);
    }
}
