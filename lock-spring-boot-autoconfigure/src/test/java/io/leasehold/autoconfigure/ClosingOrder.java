package io.leasehold.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What happened to a store, in order. */
final class ClosingOrder {

    private final List<String> events = new CopyOnWriteArrayList<>();

    void add(String event) {
        events.add(event);
    }

    List<String> events() {
        return List.copyOf(events);
    }
}
