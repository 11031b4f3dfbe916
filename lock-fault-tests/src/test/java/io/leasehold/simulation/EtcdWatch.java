package io.leasehold.simulation;

import java.util.concurrent.CompletableFuture;

/** A client's watch on the key before its own. */
final class EtcdWatch {

    private final SimulatedLink link;

    private final CompletableFuture<Void> turn = new CompletableFuture<>();

    EtcdWatch(SimulatedLink link) {
        this.link = link;
    }

    CompletableFuture<Void> turn() {
        return turn;
    }

    void deleted() {
        link.push(() -> turn.complete(null));
    }
}
