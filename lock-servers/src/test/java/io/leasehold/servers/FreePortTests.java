package io.leasehold.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTests {

    @Test
    void isOutsideTheRangeOfOutgoingConnections() {
        assertThat(FreePort.first("32768\t60999\n")).isEqualTo(11_000);
        assertThat(FreePort.first("49152 65535")).isEqualTo(11_000);
        assertThat(FreePort.first("10000 40000")).isEqualTo(40_001);
    }

    @Test
    void isTheDefaultIfOutgoingConnectionsUseAllPorts() {
        assertThat(FreePort.first("1024 65535")).isEqualTo(11_000);
    }

    @Test
    void isDifferentEachTime() {
        assertThat(FreePort.find()).isNotEqualTo(FreePort.find());
    }

    @Test
    void skipsPortsInUse() throws IOException {
        int free = FreePort.find();
        try (ServerSocket taken = new ServerSocket(free + 1, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.find()).isNotEqualTo(taken.getLocalPort());
        }
    }
}
