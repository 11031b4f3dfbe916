package io.leasehold.sample.stock;

/**
 * A sale of few items to many buyers.
 *
 * @param id which one
 * @param stock how many items there are
 * @param buyers how many buyers come to each instance
 * @param locked whether a purchase happens under a lock; without, to see what happens
 * @param startedBy the instance that was asked to start it
 */
record Rush(long id, int stock, int buyers, boolean locked, String startedBy) {}
