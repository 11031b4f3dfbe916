package io.leasehold.test.autoconfigure.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

import io.leasehold.LockNotAcquiredException;
import io.leasehold.Locker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The web slice of an application that locks, with its locked service as a mock. */
@WebMvcTest
class WebMvcSliceTests {

    @MockitoBean
    private Payments payments;

    @Test
    void aControllerIsTestedWithoutLocks(@Autowired MockMvcTester web, @Autowired ApplicationContext context) {
        given(payments.pay("a")).willReturn(new Receipt("a", 7));
        assertThat(web.get().uri("/invoices/a")).hasStatusOk().bodyJson().isLenientlyEqualTo("""
                {"invoice": "a", "amount": 7}
                """);
        assertThat(context.getBeanProvider(Locker.class)).isEmpty();
    }

    @Test
    void theSliceHasTheStatusOfALockThatIsNotAcquired(@Autowired MockMvcTester web) {
        given(payments.pay("a")).willThrow(new LockNotAcquiredException("default", "a", Duration.ZERO));
        assertThat(web.get().uri("/invoices/a")).hasStatus(HttpStatus.CONFLICT);
    }
}
