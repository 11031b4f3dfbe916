package io.leasehold.sample.deploy;

/**
 * A release of a service, asked for and perhaps under way.
 *
 * @param id which one
 * @param service what is released
 * @param steps how many steps it takes
 */
record Deployment(long id, String service, int steps) {}
