package io.holdfast.lock.netty.address;

import io.netty.channel.EventLoop;
import java.net.UnixDomainSocketAddress;
import java.util.List;

/** The file of a Unix socket, which is where it is. */
public final class SocketFileWhereabouts implements Whereabouts {

    private final UnixDomainSocketAddress address;

    public SocketFileWhereabouts(Target.SocketFile file) {
        this.address = UnixDomainSocketAddress.of(file.path());
    }

    @Override
    public Search ask(EventLoop loop, boolean anew, Asker asker) {
        asker.found(List.of(address));
        return () -> {};
    }
}
