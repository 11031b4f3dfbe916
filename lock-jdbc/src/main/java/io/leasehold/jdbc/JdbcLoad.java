package io.leasehold.jdbc;

/**
 * How busy the connections of a backend are, at one moment. Renewals and background work have connections of their own
 * and are not counted, nor are the connections that hold row locks and the releases of those.
 *
 * @param queued operations that wait for a connection
 * @param active operations in progress, each on one connection
 * @param connections the maximum of {@code active}
 * @param notSent operations since the start that were never sent, because the queue was full, or no connection became
 *     free before the queue timeout or before their callers gave up
 * @param notAnswered operations since the start that were sent and not answered, because the command timeout ended or
 *     the connection was lost
 */
public record JdbcLoad(int queued, int active, int connections, long notSent, long notAnswered) {}
