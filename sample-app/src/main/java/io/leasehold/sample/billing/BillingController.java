package io.leasehold.sample.billing;

import io.leasehold.LockHandle;
import io.leasehold.LockRequest;
import io.leasehold.Locker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lets a month begin, and shows how far charging has come. */
@RestController
class BillingController {

    private static final Duration WAIT_TIME = Duration.ofSeconds(10);

    private final Ledger ledger;

    private final Locker billingLocker;

    BillingController(Ledger ledger, Locker billingLocker) {
        this.ledger = ledger;
        this.billingLocker = billingLocker;
    }

    @PostMapping("/billing/months")
    @ResponseStatus(HttpStatus.CREATED)
    Month begin(@RequestParam(name = "lock", defaultValue = "true") boolean locked) {
        // the jobs of this locker skip a user whom another job charges, but a new month waits for another one
        try (LockHandle lock = billingLocker.lock(LockRequest.of("next month").withWaitTime(WAIT_TIME))) {
            int last = ledger.currentMonth().map(Month::number).orElse(0);
            Month month = new Month(last + 1, locked);
            lock.requireHeld();
            ledger.begin(month);
            return month;
        }
    }

    @GetMapping("/billing")
    Report report() {
        Month month = ledger.currentMonth().orElse(new Month(0, true));
        Map<String, List<Charge>> charges =
                ledger.charges(month).stream().collect(Collectors.groupingBy(Charge::userId));
        List<Account> accounts = new ArrayList<>();
        for (User user : User.ALL) {
            accounts.add(new Account(user.id(), charges.getOrDefault(user.id(), List.of())));
        }
        return Report.of(month, accounts);
    }

    record Account(String user, List<Charge> charges) {}

    record Report(Month month, int charged, int chargedTwice, List<Account> accounts) {

        static Report of(Month month, List<Account> accounts) {
            return new Report(month, count(accounts, 1), count(accounts, 2), accounts);
        }

        private static int count(List<Account> accounts, int atLeast) {
            return (int) accounts.stream()
                    .filter(account -> account.charges().size() >= atLeast)
                    .count();
        }
    }
}
