package io.leasehold.sample.billing;

import io.leasehold.sample.instances.ThisInstance;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Charges all users who are due. Every instance runs it, and none knows of the others. */
@Component
class BillingJob {

    private final Ledger ledger;

    private final Billing billing;

    private final ThisInstance thisInstance;

    BillingJob(Ledger ledger, Billing billing, ThisInstance thisInstance) {
        this.ledger = ledger;
        this.billing = billing;
        this.thisInstance = thisInstance;
    }

    @Scheduled(fixedDelayString = "${sample.billing.every:1s}")
    void run() {
        ledger.currentMonth().ifPresent(this::chargeAll);
    }

    int chargeAll(Month month) {
        int charged = 0;
        for (User user : ledger.due(month)) {
            if (thisInstance.isLeaving()) {
                return charged;
            }
            Charge charge = month.locked() ? billing.charge(user, month) : billing.chargeUnlocked(user, month);
            if (charge != null) {
                charged++;
            }
        }
        return charged;
    }
}
