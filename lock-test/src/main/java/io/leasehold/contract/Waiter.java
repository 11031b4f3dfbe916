package io.leasehold.contract;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * A caller that requested a busy lock and announced a retry.
 *
 * @param id the lock
 * @param token the token of the request
 * @param busy the answer to the request
 */
public record Waiter(LockId id, Token token, Busy busy) {}
