package io.leasehold.engine;

import io.leasehold.testsupport.QuietLog;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Runs operations of a model on a few threads in many of the possible orders. A release has two steps, one in this
 * process and one in the store, so its results do not match an order of whole operations. Only the invariants of the
 * model are checked, after the operations.
 */
public final class ModelCheckProcess {

    /** Lincheck's default of ten seconds is too short on a busy machine. */
    private static final long LONGEST_MILLIS = 300_000;

    private ModelCheckProcess() {}

    /**
     * Checks the models. A violation ends the process with its trace.
     *
     * @param arguments the number of scenarios of each model, and the number of orders of each scenario
     */
    public static void main(String[] arguments) {
        int scenarios = Integer.parseInt(arguments[0]);
        int orders = Integer.parseInt(arguments[1]);
        QuietLog quiet = new QuietLog("ROOT");
        check(HoldModel.class, scenarios, orders);
        check(LocalQueueModel.class, scenarios, orders);
        check(WatchdogModel.class, scenarios, orders);
        quiet.close();
        System.exit(0);
    }

    private static void check(Class<?> model, int scenarios, int orders) {
        long start = System.nanoTime();
        new ModelCheckingOptions()
                .threads(2)
                .actorsBefore(0)
                .actorsPerThread(2)
                .actorsAfter(0)
                .iterations(scenarios)
                .invocationsPerIteration(orders)
                .verifier(EpsilonVerifier.class)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                TokenSource.class.getName(), ScriptedBackend.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(VirtualTime.class.getName())
                        // atomic methods ignore the monitor, so that no other may be interrupted while it has it
                        .methods("nanos", "wallMillis", "schedule", "freeze", "due", "moveTo")
                        .treatAsAtomic())
                .check(model);
        System.out.println("no violation in " + model.getSimpleName() + ", " + scenarios + " scenarios, "
                + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
}
