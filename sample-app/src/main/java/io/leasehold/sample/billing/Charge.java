package io.leasehold.sample.billing;

/**
 * Money was taken from a user.
 *
 * @param userId from whom
 * @param instance by which instance
 * @param fencingToken the token of the lock under which it happened, 0 without a lock
 */
record Charge(String userId, String instance, long fencingToken) {}
