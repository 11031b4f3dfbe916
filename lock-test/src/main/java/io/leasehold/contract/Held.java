package io.leasehold.contract;

import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * A lease that a test was granted.
 *
 * @param id what is locked
 * @param token whose lease it is
 * @param firstFence the first fencing token of its block
 */
public record Held(LockId id, Token token, long firstFence) {}
