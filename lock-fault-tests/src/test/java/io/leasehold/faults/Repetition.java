package io.leasehold.faults;

import java.util.Optional;

/**
 * One operation with one fault of all servers, repeated instead of the matrix, to investigate a finding. The system
 * property {@value #PROPERTY} enables it, as in {@code WAIT:KILL:20}.
 *
 * @param operation the operation on the lock
 * @param fault the fault of the servers
 * @param rounds the number of repetitions
 */
record Repetition(Operation operation, ServerFault fault, int rounds) {

    static final String PROPERTY = "leasehold.fault";

    Repetition {
        if (rounds < 1) {
            throw new IllegalArgumentException("'rounds' must be at least 1: " + rounds);
        }
    }

    /** The repetition in the system property. */
    static Optional<Repetition> given() {
        return Optional.ofNullable(System.getProperty(PROPERTY)).map(Repetition::parse);
    }

    private static Repetition parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("'" + PROPERTY + "' must be OPERATION:FAULT:ROUNDS: " + text);
        }
        return new Repetition(Operation.valueOf(parts[0]), ServerFault.valueOf(parts[1]), Integer.parseInt(parts[2]));
    }
}
