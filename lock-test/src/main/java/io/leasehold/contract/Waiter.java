package io.leasehold.contract;

import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.LockId;
import io.leasehold.spi.Token;

/**
 * Somebody who asked for a busy lock and said that he will ask again.
 *
 * @param id what he wants to lock
 * @param token the token he asked with
 * @param busy what he was answered
 */
public record Waiter(LockId id, Token token, Busy busy) {}
