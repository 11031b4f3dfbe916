package io.leasehold.benchmarks.store;

/**
 * The number of commands that a Redis has executed.
 *
 * @param sent commands that clients sent
 * @param scripted commands inside scripts
 */
public record CommandCounts(long sent, long scripted) {

    private static final double TOLERANCE = 0.05;

    private static final int BACKGROUND = 50;

    /** Whether another count agrees, apart from commands that clients send in the background. */
    boolean isAbout(double commands) {
        return Math.abs(sent + scripted - commands) <= BACKGROUND + TOLERANCE * commands;
    }

    /** The share of all commands that clients sent; 1 if there are none. */
    public double shareSent() {
        return sent + scripted == 0 ? 1 : (double) sent / (sent + scripted);
    }
}
