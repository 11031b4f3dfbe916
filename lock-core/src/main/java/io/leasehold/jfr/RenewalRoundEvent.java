package io.leasehold.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

@Name(RenewalRoundEvent.NAME)
@Label("Lock Renewal Round")
@Category("Leasehold")
@Description("Renewals that were sent in one command, when they have ended")
@StackTrace(false)
final class RenewalRoundEvent extends Event {

    static final String NAME = "io.leasehold.LockRenewalRound";

    @Label("Locker")
    @Nullable
    String locker;

    @Label("Renewed")
    int renewed;

    @Label("Lost")
    int lost;

    @Label("Unanswered")
    int unanswered;

    @Label("Latency")
    @Timespan
    long latency;

    @Label("Lag")
    @Description("How much later than due the renewals were sent")
    @Timespan
    long lag;
}
