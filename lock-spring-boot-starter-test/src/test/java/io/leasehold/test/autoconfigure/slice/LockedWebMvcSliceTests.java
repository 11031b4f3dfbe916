package io.leasehold.test.autoconfigure.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockContext;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.test.autoconfigure.AutoConfigureTestLocks;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A web slice with a locked controller and a locked service that implement interfaces. Their proxies are of classes. */
@WebMvcTest(controllers = LockedWebMvcSliceTests.LockedController.class)
@AutoConfigureTestLocks
@Import({LockedWebMvcSliceTests.LockedController.class, LockedWebMvcSliceTests.OrderService.class})
class LockedWebMvcSliceTests {

    @Test
    void aLockedControllerAnswers(@Autowired MockMvcTester web) {
        assertThat(web.get().uri("/orders")).hasStatusOk().hasBodyTextEqualTo("true true");
    }

    interface Api {

        @GetMapping("/orders")
        String orders();
    }

    @RestController
    static class LockedController implements Api {

        private final OrderService orders;

        LockedController(OrderService orders) {
            this.orders = orders;
        }

        @Override
        @DistributedLock("'api'")
        public String orders() {
            return LockContext.current().isPresent() + " " + orders.areLocked();
        }
    }

    interface Orders {

        boolean areLocked();
    }

    static class OrderService implements Orders {

        @Override
        @DistributedLock("'orders'")
        public boolean areLocked() {
            return LockContext.current().isPresent();
        }
    }
}
