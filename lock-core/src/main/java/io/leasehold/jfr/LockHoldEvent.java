package io.leasehold.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name(LockHoldEvent.NAME)
@Label("Lock Hold")
@Category("Leasehold")
@Description("A hold of a distributed lock, from the grant to the release or the loss")
@Threshold("20 ms")
@StackTrace(false)
final class LockHoldEvent extends Event {

    static final String NAME = "io.leasehold.LockHold";

    @Label("Locker")
    @Nullable
    String locker;

    @Label("Key")
    @Nullable
    String key;

    @Label("Fencing Token")
    long fencingToken;

    @Label("Lost")
    boolean lost;

    @Label("Holding Thread")
    @Description("The thread that acquired the lock; none for an asynchronous caller")
    @Nullable
    Thread holder;
}
