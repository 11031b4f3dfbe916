package io.leasehold.redis;

/** Two lanes, so that callers who wait for replicas do not hold up the renewals of what is held. */
record Lanes(LettuceLane grants, LettuceLane renewals) {}
