package io.leasehold.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One case of the matrix.
 *
 * @param operation the operation on the lock
 * @param network the fault of the network, {@code null} if it is one of the server
 * @param server the fault of the server, {@code null} if it is one of the network
 * @param position the point at which a fault of the network strikes
 * @param outage the duration of the fault; for a late packet, how much longer than the operation it lasts, and for a held
 *     lock, how much longer than until the watchdog sends a renewal
 * @param nodes the affected servers of the store, by index
 * @param seed the seed of all other random choices
 */
record FaultCase(
        Operation operation,
        @Nullable NetworkFault network,
        @Nullable ServerFault server,
        Position position,
        Duration outage,
        List<Integer> nodes,
        long seed) {

    /** Every operation with every fault of the network at every position, in random order, repeated up to the count. */
    static List<FaultCase> ofNetwork(BreakableStore store, int count, Random random) {
        List<FaultCase> cases = new ArrayList<>();
        while (cases.size() < count) {
            List<FaultCase> matrix = new ArrayList<>();
            for (Operation operation : Operation.values()) {
                for (NetworkFault fault : NetworkFault.values()) {
                    for (Position position : Position.values()) {
                        matrix.add(new FaultCase(
                                operation,
                                fault,
                                null,
                                position,
                                outage(store, fault, random),
                                nodes(store, random),
                                random.nextLong()));
                    }
                }
            }
            Collections.shuffle(matrix, random);
            cases.addAll(matrix);
        }
        return List.copyOf(cases.subList(0, count));
    }

    /** One fault of the server, with a different operation in each lane. */
    static List<FaultCase> ofServer(BreakableStore store, ServerFault fault, int lanes, Random random) {
        Duration outage = outage(store, fault, random);
        List<Integer> nodes = nodes(store, random);
        List<FaultCase> cases = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            Operation operation = Operation.values()[lane % Operation.values().length];
            cases.add(new FaultCase(operation, null, fault, position(random), outage, nodes, random.nextLong()));
        }
        return cases;
    }

    /** One operation with one fault of all servers, in each lane. */
    static List<FaultCase> repeated(BreakableStore store, Repetition repetition, int lanes, Random random) {
        List<Integer> all = IntStream.range(0, store.ports().size()).boxed().toList();
        Duration outage = outage(store, repetition.fault(), random);
        return Stream.generate(() -> new FaultCase(
                        repetition.operation(),
                        null,
                        repetition.fault(),
                        position(random),
                        outage,
                        all,
                        random.nextLong()))
                .limit(lanes)
                .toList();
    }

    /** Whether the request arrives when the network heals, and its caller may have given up. */
    boolean delaysRequests() {
        return position == Position.BEFORE_REQUEST
                && (network == NetworkFault.STALL || network == NetworkFault.LATE_PACKET);
    }

    /** Whether the fault cuts a connection that may hold the lock. */
    boolean cutsConnections() {
        return server != null && !server.pauses()
                || position == Position.FIRST_USE
                || network != null && network.cuts();
    }

    private static Position position(Random random) {
        return random.nextBoolean() ? Position.BEFORE_REQUEST : Position.FIRST_USE;
    }

    private static Duration outage(BreakableStore store, NetworkFault fault, Random random) {
        long ttl = store.ttl().toMillis();
        long longest = fault == NetworkFault.DELAY || random.nextBoolean() ? ttl / 3 : ttl * 3 / 2;
        return Duration.ofMillis(1 + random.nextInt((int) longest));
    }

    private static Duration outage(BreakableStore store, ServerFault fault, Random random) {
        return switch (fault) {
            case STALL ->
                store.commandTimeout()
                        .plusMillis(1 + random.nextInt((int) store.ttl().toMillis() / 3));
            case RESTART -> Duration.ofMillis(1 + random.nextInt(500));
            case PAUSE, KILL, KILL_AND_FORGET -> outage(store, NetworkFault.STALL, random);
        };
    }

    private static List<Integer> nodes(BreakableStore store, Random random) {
        List<Integer> nodes = new ArrayList<>();
        for (int i = 0; i < store.ports().size(); i++) {
            nodes.add(i);
        }
        Collections.shuffle(nodes, random);
        return List.copyOf(nodes.subList(0, 1 + random.nextInt(nodes.size())));
    }
}
