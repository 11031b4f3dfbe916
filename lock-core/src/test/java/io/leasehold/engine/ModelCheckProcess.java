package io.leasehold.engine;

import io.leasehold.testsupport.QuietLog;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Runs operations of a model on a few threads in many of the orders that there are. A release has two steps, one here and
 * one in the store, so the results are not those of any order of whole operations; checked is what a model says must hold
 * afterwards.
 */
public final class ModelCheckProcess {

    /** Lincheck's own ten seconds are too few on a machine that is busy with other things. */
    private static final long LONGEST_MILLIS = 300_000;

    private ModelCheckProcess() {}

    /**
     * Checks the models; a violation ends the process with its trace.
     *
     * @param arguments how many scenarios of each, how many orders of each scenario
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
                        .methods("nanos", "wallMillis", "schedule", "freeze")
                        .treatAsAtomic())
                .check(model);
        System.out.println("no violation in " + model.getSimpleName() + ", " + scenarios + " scenarios, "
                + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
}
