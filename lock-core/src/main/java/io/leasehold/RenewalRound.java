package io.leasehold;

import java.time.Duration;

/**
 * Renewals that were sent to the store in one command, after their answer or timeout.
 *
 * @param locker the locker's name
 * @param renewed the number of locks that the store confirmed
 * @param lost the number of locks that the store denied
 * @param unanswered the number of locks without an answer; their renewal is retried while they are valid
 * @param latency the time between the command and its answer or timeout
 * @param lag how much later than due the earliest of these renewals was sent; zero if none was late
 */
public record RenewalRound(String locker, int renewed, int lost, int unanswered, Duration latency, Duration lag) {}
