package io.leasehold.test.autoconfigure.slice;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A controller that calls the locked service. */
@RestController
class PaymentController {

    private final Payments payments;

    PaymentController(Payments payments) {
        this.payments = payments;
    }

    @GetMapping("/invoices/{id}")
    public Receipt pay(@PathVariable String id) {
        return payments.pay(id);
    }
}
