package io.leasehold.sample.deploy;

/**
 * What the holder of the lock writes down after each step.
 *
 * @param step the number of the step, from 1
 * @param instance who did it
 * @param fencingToken under which grant of the lock
 * @param remainingMillis how much longer the lock was held then, had it not been renewed again
 * @param renewals how often the lock had been renewed by then
 */
record Progress(int step, String instance, long fencingToken, long remainingMillis, long renewals) {}
