package io.leasehold.sample.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockerRegistry;
import io.leasehold.sample.SampleTest;
import io.leasehold.sample.billing.BillingController.Report;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Each user whose payment is due is charged once, unless users are charged without a lock. */
@SampleTest
class BillingTests {

    private static final int JOBS = 4;

    @Autowired
    private BillingController controller;

    @Autowired
    private BillingJob job;

    @Autowired
    private Billing billing;

    @Autowired
    private Ledger ledger;

    @Autowired
    private LockerRegistry lockers;

    @Test
    void chargesEverybodyOnceHoweverManyJobsRun() {
        Month month = controller.begin(true);

        int charged = runJobs(month);

        Report report = controller.report();
        assertThat(report.charged()).isEqualTo(User.ALL.size());
        assertThat(report.chargedTwice()).isZero();
        assertThat(charged).isEqualTo(User.ALL.size());
        assertThat(ledger.charges(month))
                .allSatisfy(charge -> assertThat(charge.fencingToken()).isPositive());
    }

    @Test
    void twoMonthsThatBeginAtTheSameTimeFollowEachOther() {
        List<CompletableFuture<Month>> begun = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> controller.begin(true), work -> new Thread(work).start()))
                .limit(8)
                .toList();
        assertThat(begun.stream().map(CompletableFuture::join).map(Month::number))
                .doesNotHaveDuplicates()
                .hasSize(8);
    }

    @Test
    void chargesTwiceWithoutTheLock() {
        Month month = controller.begin(false);

        runJobs(month);

        assertThat(controller.report().chargedTwice()).isPositive();
    }

    @Test
    void skipsAUserWhomSomebodyElseIsCharging() {
        Month month = controller.begin(true);
        User user = User.ALL.get(0);
        LockHandle elsewhere = lockers.get("billing").lock(user.id());
        try (elsewhere) {
            assertThat(CompletableFuture.supplyAsync(() -> charge(user, month)).join())
                    .isEmpty();
        }

        assertThat(charge(user, month)).extracting(Charge::userId).containsExactly(user.id());
        assertThat(charge(user, month)).isEmpty();
    }

    private List<Charge> charge(User user, Month month) {
        return Stream.ofNullable(billing.charge(user, month)).toList();
    }

    private int runJobs(Month month) {
        List<CompletableFuture<Integer>> jobs = Stream.generate(() ->
                        CompletableFuture.supplyAsync(() -> job.chargeAll(month), work -> new Thread(work).start()))
                .limit(JOBS)
                .toList();
        return jobs.stream().mapToInt(CompletableFuture::join).sum();
    }
}
