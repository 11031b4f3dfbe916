package io.leasehold.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.leasehold.LockerRegistry;
import io.leasehold.LockerStatus;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Show;

/** The endpoint without an application. */
class LocksEndpointTests {

    @Test
    void aLockerThatIsClosedDuringTheAnswerIsNotInIt() {
        LockerRegistry lockers = mock();
        when(lockers.names()).thenReturn(Set.of("deploy", "tenant"));
        when(lockers.status("deploy")).thenReturn(LockerStatus.idle("deploy", "memory"));
        when(lockers.status("tenant")).thenThrow(new IllegalArgumentException("no locker 'tenant'"));
        LocksEndpoint endpoint = new LocksEndpoint(lockers, Map::of, locker -> null, Show.ALWAYS);
        assertThat(endpoint.locks().lockers()).containsOnlyKeys("deploy");
    }
}
