package io.leasehold.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name(LockWaitEvent.NAME)
@Label("Lock Wait")
@Category("Leasehold")
@Description("An attempt to acquire a distributed lock, from the call to its end")
@Threshold("20 ms")
final class LockWaitEvent extends Event {

    static final String NAME = "io.leasehold.LockWait";

    @Label("Locker")
    @Nullable
    String locker;

    @Label("Key")
    @Nullable
    String key;

    @Label("Outcome")
    @Nullable
    String outcome;

    @Label("Handed Over")
    @Description("Whether a holder of this process handed the lock over")
    boolean handedOver;

    @Label("Waiting Thread")
    @Description("The thread that waited; none for an asynchronous caller")
    @Nullable
    Thread waiter;
}
