package io.leasehold.test.autoconfigure.slice;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locker;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.ApplicationContext;

/** The JPA slice of an application that locks. */
@DataJpaTest
class DataJpaSliceTests {

    @Test
    void aRepositoryIsTestedWithoutLocks(@Autowired Invoices invoices, @Autowired ApplicationContext context) {
        invoices.save(new Invoice("a", 7));
        assertThat(invoices.findById("a")).map(Invoice::amount).contains(7L);
        assertThat(context.getBeanProvider(Locker.class)).isEmpty();
    }
}
