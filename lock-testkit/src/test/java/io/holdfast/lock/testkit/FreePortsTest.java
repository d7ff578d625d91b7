package io.holdfast.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    @Test
    void aPortOfAClusterNodeComesWithAFreeOneForTheBus() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            int port = FreePorts.takeWithBus();
            assertThat(ports.add(port)).isTrue();
            assertThat(port).isLessThan(55_536);
            assertThat(FreePorts.busOf(port)).isEqualTo(port + 10_000).isLessThan(32_768);
            try (ServerSocket one = new ServerSocket(port, 1, FreePorts.address());
                    ServerSocket bus = new ServerSocket(port + 10_000, 1, FreePorts.address())) {
                assertThat(one.isBound() && bus.isBound()).isTrue();
            }
        }
        ports.forEach(FreePorts::release);
    }

    @Test
    void aPortWhoseBusIsTakenIsNotGivenOut() throws IOException {
        int port = FreePorts.takeWithBus();
        try (ServerSocket other = new ServerSocket(FreePorts.busOf(port), 1, FreePorts.address())) {
            assertThat(other.isBound()).isTrue();
            assertThat(FreePorts.isFreeWithBus(port)).isFalse();
        }
        assertThat(FreePorts.isFreeWithBus(port)).isTrue();
        FreePorts.release(port);
    }
}
