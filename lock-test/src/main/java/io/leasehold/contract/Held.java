package io.leasehold.contract;

import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * A lease that was granted to a test.
 *
 * @param id the lock
 * @param token the token of the lease
 * @param firstFence the first of its reserved fencing tokens
 */
public record Held(LockId id, Token token, long firstFence) {}
