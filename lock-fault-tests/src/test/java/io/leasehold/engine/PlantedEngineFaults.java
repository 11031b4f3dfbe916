package io.leasehold.engine;

import io.leasehold.LossReason;
import io.leasehold.spi.LockId;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.Token;
import io.leasehold.support.LeaseValidity;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Faults that the engine once had, or might have. A test weaves each of them into the engine's classes, and the
 * simulation has to find it. The code of a fault becomes part of the method that it names.
 */
public enum PlantedEngineFaults {

    /** A signal that arrives after the end of an asynchronous acquisition releases the granted lock. */
    LATE_SIGNAL_RELEASES("AsyncAcquisition", "advance", LateSignal.class),

    /**
     * Each grant reserves the largest possible number of fencing tokens for local handoffs, so the counter runs ahead
     * of the clock.
     */
    RESERVES_TOO_MANY_TOKENS("StoreAcquisition", "fencingTokens", TooManyTokens.class),

    /** A repeated release forgets the minimum hold time of the lock. */
    REPEATED_RELEASE_FORGETS_MIN_HOLD("Reaper$Removal", "command", ForgottenMinHold.class),

    /** A shutdown does not wait for pending commands. */
    SHUTDOWN_DOES_NOT_WAIT("LockerState", "openCalls", NoOpenCalls.class),

    /** A step that throws leaves the caller's entry in the queue. */
    FAILED_STEP_KEEPS_ITS_PLACE("Acquisition", "step", FailedStep.class, "abandon", NotAbandoned.class),

    /** Continuations run on the thread that completes the answer. */
    CONTINUATIONS_ON_ENGINE_THREADS("EngineExecutors", "async", NoExecutor.class),

    /** Validity counts from the answer or the wake-up that brings the grant, instead of from the question. */
    VALIDITY_COUNTS_FROM_THE_GRANT("StoreAcquisition", "validity", LaterValidity.class),

    /** A holder hands its lease over while a forced release of it is under way, which then ends the hold of another. */
    FORCED_RELEASE_MEETS_A_HAND_OVER(
            "LocalQueue", "revocationStarted", Skipped.class, "revocationEnded", Skipped.class),

    /** A revoked lease is removed from the store while its holder still works. */
    REVOKED_LEASE_IS_REMOVED("Lease", "lose", RemovedRevoked.class),

    /** A removal gives up when a lease without its renewal for longer than the ttl would have expired. */
    LONGER_RENEWAL_IS_FORGOTTEN("Lease", "storedAt", ForgottenRenewal.class);

    /** Runs a task on the submitting thread. */
    public static final Executor DIRECT = Runnable::run;

    /** Acquisitions with a step that has thrown. */
    public static final Set<Object> FAILED =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final String type;

    private final String[] methods;

    private final Class<?>[] advices;

    PlantedEngineFaults(String type, String method, Class<?> advice) {
        this.type = type;
        this.methods = new String[] {method};
        this.advices = new Class<?>[] {advice};
    }

    PlantedEngineFaults(String type, String method, Class<?> advice, String other, Class<?> otherAdvice) {
        this.type = type;
        this.methods = new String[] {method, other};
        this.advices = new Class<?>[] {advice, otherAdvice};
    }

    /** The name of the class with the fault. */
    public String className() {
        return "io.leasehold.engine." + type;
    }

    /** Weaves the fault into its class. */
    public DynamicType.Builder<?> plant(DynamicType.Builder<?> builder, Class<?> original) {
        DynamicType.Builder<?> planted = builder;
        for (int i = 0; i < methods.length; i++) {
            String method = methods[i];
            if (Arrays.stream(original.getDeclaredMethods())
                    .noneMatch(one -> one.getName().equals(method))) {
                throw new IllegalStateException("there is no method '" + method + "' in " + original + " for " + this);
            }
            planted = planted.visit(Advice.to(advices[i]).on(ElementMatchers.named(method)));
        }
        return planted;
    }

    /** See {@link #LATE_SIGNAL_RELEASES}. */
    static final class LateSignal {

        @Advice.OnMethodEnter
        static void enter(
                @Advice.This CompletableFuture<?> future,
                @Advice.FieldValue("acquisition") Acquisition acquisition,
                @Advice.FieldValue("ended") boolean ended) {
            if (ended && future.isDone()) {
                acquisition.abandon();
            }
        }
    }

    /** See {@link #RESERVES_TOO_MANY_TOKENS}. */
    static final class TooManyTokens {

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("queue") LocalQueue queue, @Advice.Return(readOnly = false) int tokens) {
            tokens = 1 + queue.locker().settings().maxLocalHandoffs();
        }
    }

    /** See {@link #REPEATED_RELEASE_FORGETS_MIN_HOLD}. */
    static final class ForgottenMinHold {

        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("id") LockId id,
                @Advice.FieldValue("token") Token token,
                @Advice.Return(readOnly = false) ReleaseCommand command) {
            command = new ReleaseCommand(id, token);
        }
    }

    /** See {@link #VALIDITY_COUNTS_FROM_THE_GRANT}. */
    static final class LaterValidity {

        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("queue") LocalQueue queue, @Advice.Return(readOnly = false) LeaseValidity validity) {
            long now = queue.locker().resources().ticker().nanos();
            validity = new LeaseValidity(
                    now,
                    queue.locker().resources().ticker().wallMillis(),
                    now + validity.validUntil() - validity.sentAt());
        }
    }

    /** See {@link #SHUTDOWN_DOES_NOT_WAIT}. */
    static final class NoOpenCalls {

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) AtomicInteger calls) {
            calls = new AtomicInteger();
        }
    }

    /** See {@link #FAILED_STEP_KEEPS_ITS_PLACE}. */
    static final class FailedStep {

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit(@Advice.This Object acquisition, @Advice.Thrown Throwable failure) {
            if (failure != null) {
                FAILED.add(acquisition);
            }
        }
    }

    /** See {@link #FAILED_STEP_KEEPS_ITS_PLACE}. */
    static final class NotAbandoned {

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This Object acquisition) {
            return FAILED.contains(acquisition);
        }
    }

    /** See {@link #CONTINUATIONS_ON_ENGINE_THREADS}. */
    static final class NoExecutor {

        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) Executor executor) {
            executor = DIRECT;
        }
    }

    /** See {@link #FORCED_RELEASE_MEETS_A_HAND_OVER}. */
    static final class Skipped {

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter() {
            return true;
        }
    }

    /** See {@link #REVOKED_LEASE_IS_REMOVED}. */
    static final class RemovedRevoked {

        @Advice.OnMethodExit
        static void exit(@Advice.This Lease lease, @Advice.Argument(0) LossReason reason) {
            if (reason == LossReason.REVOKED) {
                lease.reap();
            }
        }
    }

    /** See {@link #LONGER_RENEWAL_IS_FORGOTTEN}. */
    static final class ForgottenRenewal {

        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("validity") LeaseValidity validity, @Advice.Return(readOnly = false) long storedAt) {
            storedAt = validity.sentAt();
        }
    }
}
