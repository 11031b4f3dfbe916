package io.leasehold.simulation;

/** What a seam throws in the middle of a step, as a full stack or a full heap does. */
final class Exploded extends Error {

    private static final long serialVersionUID = 1L;

    Exploded() {
        super("planned", null, false, true);
    }
}
