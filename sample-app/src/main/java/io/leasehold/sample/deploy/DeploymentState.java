package io.leasehold.sample.deploy;

import java.util.List;

/**
 * How far a release has come.
 *
 * @param id which one
 * @param service what is released
 * @param steps how many steps it takes
 * @param finished whether all are done
 * @param remainingMillis how much longer the lock was held at the last step, had it not been renewed again
 * @param renewals how often the current holder's lock was renewed
 * @param turns who did how many steps, in order
 */
record DeploymentState(
        long id, String service, int steps, boolean finished, long remainingMillis, long renewals, List<Turn> turns) {

    /**
     * What was done under one grant of the lock.
     *
     * @param instance who held it
     * @param fencingToken its token, higher than that of the turn before
     * @param steps how many steps were done
     */
    record Turn(String instance, long fencingToken, int steps) {}
}
