package io.leasehold.redlock;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * In which order the nodes are asked: those that left their last question without an answer come last. A client that has
 * lost its server may take a while before it takes the next question, and that is not to hold up those for the others.
 */
final class AskingOrder {

    private static final int SILENT = 1;

    private final AtomicIntegerArray silence;

    AskingOrder(int nodes) {
        this.silence = new AtomicIntegerArray(nodes);
    }

    void answered(int node) {
        if (silence.get(node) == SILENT) {
            silence.set(node, 0);
        }
    }

    void remainedSilent(int node) {
        silence.set(node, SILENT);
    }

    /** The numbers of all nodes. */
    int[] now() {
        int[] order = new int[silence.length()];
        int first = 0;
        int last = order.length;
        for (int node = 0; node < order.length; node++) {
            if (silence.get(node) == SILENT) {
                last--;
                order[last] = node;
            } else {
                order[first] = node;
                first++;
            }
        }
        return order;
    }
}
