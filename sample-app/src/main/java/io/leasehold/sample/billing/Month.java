package io.leasehold.sample.billing;

/**
 * A month to charge for. They pass quickly here: a new one begins at the press of a button.
 *
 * @param number 1 for the first
 * @param locked whether users are charged under a lock; without, to see what happens
 */
record Month(int number, boolean locked) {}
