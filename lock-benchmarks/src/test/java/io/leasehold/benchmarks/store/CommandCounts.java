package io.leasehold.benchmarks.store;

/**
 * How many commands a Redis has carried out.
 *
 * @param sent those that clients sent
 * @param scripted those inside of scripts
 */
public record CommandCounts(long sent, long scripted) {

    private static final double TOLERANCE = 0.05;

    private static final int BACKGROUND = 50;

    /** Whether another way of counting agrees, but for what clients send in the background. */
    boolean isAbout(double commands) {
        return Math.abs(sent + scripted - commands) <= BACKGROUND + TOLERANCE * commands;
    }

    /** Which part of all commands clients sent; 1 if there are none. */
    public double shareSent() {
        return sent + scripted == 0 ? 1 : (double) sent / (sent + scripted);
    }
}
