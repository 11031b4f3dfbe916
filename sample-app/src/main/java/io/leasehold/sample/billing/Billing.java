package io.leasehold.sample.billing;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.annotation.OnFailure;
import io.leasehold.sample.instances.ThisInstance;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Charges one user. */
@Service
class Billing {

    private final Ledger ledger;

    private final ThisInstance thisInstance;

    private final Duration payment;

    Billing(Ledger ledger, ThisInstance thisInstance, @Value("${sample.billing.payment}") Duration payment) {
        this.ledger = ledger;
        this.thisInstance = thisInstance;
        this.payment = payment;
    }

    /**
     * Charges a user who is still due. The list of due users was read without a lock, so the check
     * under the lock decides whether another instance was quicker.
     *
     * @return the charge; null if another instance is charging this user, or has done so
     */
    @DistributedLock(locker = "billing", key = "#user.id", onFailure = OnFailure.SKIP)
    public @Nullable Charge charge(User user, Month month) {
        return chargeUnlocked(user, month);
    }

    /** The same without the lock: right as long as only one instance runs. */
    @Nullable
    Charge chargeUnlocked(User user, Month month) {
        if (!ledger.due(month).contains(user)) {
            return null;
        }
        askThePaymentProvider();
        long token = LockContext.current().map(LockHandle::fencingToken).orElse(0L);
        Charge charge = new Charge(user.id(), thisInstance.name(), token);
        ledger.enter(month, charge);
        return charge;
    }

    private void askThePaymentProvider() {
        try {
            Thread.sleep(payment.toMillis());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the payment was made", ex);
        }
    }
}
