package io.holdfast.lock.netty.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.IoTransport;
import io.netty.channel.epoll.Epoll;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class IoLoopsTest {

    @Test
    @EnabledOnOs(OS.LINUX)
    void takesEpollOnLinux() {
        assertThat(chosen(IoTransport.AUTO)).isEqualTo(Epoll.isAvailable() ? IoTransport.EPOLL : IoTransport.NIO);
    }

    @Test
    void nioIsAlwaysThere() {
        assertThat(chosen(IoTransport.NIO)).isEqualTo(IoTransport.NIO);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void saysWhyATransportCannotBeUsed() {
        assertThatThrownBy(() -> chosen(IoTransport.KQUEUE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("KQUEUE")
                .hasMessageContaining("can't be used here");
    }

    private static IoTransport chosen(IoTransport wanted) {
        IoLoops loops = IoLoops.open(wanted, 1, Executors.defaultThreadFactory());
        loops.shutdown();
        return loops.transport();
    }
}
