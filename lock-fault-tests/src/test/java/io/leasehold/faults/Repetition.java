package io.leasehold.faults;

import java.util.Optional;

/**
 * One operation that meets one fault of all servers at once, again and again, instead of the matrix: what to look into a
 * finding with. The system property {@value #PROPERTY} asks for it, as in {@code WAIT:KILL:20}.
 *
 * @param operation what is done
 * @param fault what happens to the servers
 * @param rounds how often
 */
record Repetition(Operation operation, ServerFault fault, int rounds) {

    static final String PROPERTY = "leasehold.fault";

    Repetition {
        if (rounds < 1) {
            throw new IllegalArgumentException("'rounds' must be at least 1: " + rounds);
        }
    }

    /** What the system property asks for. */
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
