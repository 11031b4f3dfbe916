package io.leasehold.redis;

import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireAnswer.Busy;
import io.leasehold.spi.AcquireAnswer.Granted;
import io.leasehold.spi.QuorumNode.ServerIdentity;
import io.leasehold.spi.QuorumNode.Vote;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The reply of the scripts for votes: what {@code acquire.lua} answers, the server's clock in microseconds, its run id
 * and its uptime in seconds, and whether the lease had been there, separated by spaces.
 */
record VoteReply(long answer, long clockMicros, String runId, long uptimeSeconds, boolean wasThere) {

    private static final Duration FOREVER = Duration.ofDays(1);

    static VoteReply parse(byte[] reply) {
        String[] parts = new String(reply, StandardCharsets.US_ASCII).split(" ");
        return new VoteReply(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                parts[2],
                Long.parseLong(parts[3]),
                parts[4].equals("1"));
    }

    Vote vote(boolean persistsEveryWrite) {
        return new Vote(acquireAnswer(), wasThere, clockMicros, serverIdentity(persistsEveryWrite));
    }

    ServerIdentity serverIdentity(boolean persistsEveryWrite) {
        return new ServerIdentity(runId, persistsEveryWrite ? null : leastAge());
    }

    /** Redis subtracts one whole second from another, so its uptime may exceed its age by almost a second. */
    private Duration leastAge() {
        return Duration.ofSeconds(Math.max(0, uptimeSeconds - 1));
    }

    private AcquireAnswer acquireAnswer() {
        if (answer > 0) {
            return new Granted(answer);
        }
        return new Busy(answer == 0 ? FOREVER : Duration.ofMillis(-1 - answer));
    }
}
