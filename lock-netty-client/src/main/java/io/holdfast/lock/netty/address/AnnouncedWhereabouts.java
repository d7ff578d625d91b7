package io.holdfast.lock.netty.address;

import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.util.List;

/** Where a server is whose address others announce. */
public final class AnnouncedWhereabouts implements Whereabouts {

    private final AnnouncedAddresses addresses;
    private final Target.Host announced;

    /** @param addresses what the client makes of announced addresses */
    public AnnouncedWhereabouts(AnnouncedAddresses addresses, Target.Host announced) {
        this.addresses = addresses;
        this.announced = announced;
    }

    @Override
    public Search ask(EventLoop loop, boolean anew, Asker asker) {
        return addresses.whereabouts(announced, loop, anew, new AnnouncedAddresses.Asker() {

            @Override
            public void reachable(Target.Host host) {
                // The addresses that follow bear its name.
            }

            @Override
            public void found(List<? extends SocketAddress> found) {
                asker.found(found);
            }

            @Override
            public void unknown(Kind kind, String reason) {
                asker.unknown(kind, reason);
            }
        });
    }
}
