package io.leasehold.simulation;

/** Thrown by a seam in the middle of a step, like the error of a full stack or a full heap. */
final class Exploded extends Error {

    private static final long serialVersionUID = 1L;

    Exploded() {
        super("planned", null, false, true);
    }
}
