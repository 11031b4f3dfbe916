package io.leasehold.redis;

/** A connection of its own for scripts that replicas have to confirm, so that waiting for them holds up nobody else. */
interface LettuceLane {

    /** Sends the script; the call ends when it is answered and confirmed, or has failed. */
    <T> void run(ReplicatedCall<T> call);
}
