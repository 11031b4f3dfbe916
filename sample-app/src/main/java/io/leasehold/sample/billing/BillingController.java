package io.leasehold.sample.billing;

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

    private final Ledger ledger;

    BillingController(Ledger ledger) {
        this.ledger = ledger;
    }

    @PostMapping("/billing/months")
    @ResponseStatus(HttpStatus.CREATED)
    Month begin(@RequestParam(name = "lock", defaultValue = "true") boolean locked) {
        int last = ledger.currentMonth().map(Month::number).orElse(0);
        Month month = new Month(last + 1, locked);
        ledger.begin(month);
        return month;
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
