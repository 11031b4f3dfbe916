package io.leasehold.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name(LockLostEvent.NAME)
@Label("Lock Lost")
@Category("Leasehold")
@Description("The loss of a distributed lock before its holder released it")
@StackTrace(false)
final class LockLostEvent extends Event {

    static final String NAME = "io.leasehold.LockLost";

    @Label("Locker")
    @Nullable
    String locker;

    @Label("Key")
    @Nullable
    String key;

    @Label("Fencing Token")
    long fencingToken;

    @Label("Reason")
    @Nullable
    String reason;

    @Label("Held For")
    @Timespan
    long held;

    @Label("Holding Thread")
    @Description("The thread that acquired the lock, if the recording ran then and it was not an asynchronous caller")
    @Nullable
    Thread holder;
}
