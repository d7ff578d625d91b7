package io.holdfast.lock.netty.address;

import io.holdfast.lock.spi.Fault.Kind;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All addresses of a host.
 *
 * <p>A lookup blocks, for many seconds when a name server is down, and an event loop has other connections to serve. So
 * each lookup gets a thread that ends with it; they are as rare as reconnects. Addresses need no lookup.
 */
public final class HostWhereabouts implements Whereabouts {

    /** Each that hangs has a thread. */
    private static final int MOST_UNDER_WAY = 4;

    private final Target.Host host;
    private final NameService names;
    private final String threadName;
    private final AtomicInteger underWay;
    private final int mostUnderWay;

    public HostWhereabouts(Target.Host host, NameService names, String clientName) {
        this(host, names, clientName, new AtomicInteger(), MOST_UNDER_WAY);
    }

    /**
     * A host whose lookups are counted together with those of others.
     *
     * @param underWay how many have no answer yet
     */
    HostWhereabouts(Target.Host host, NameService names, String clientName, AtomicInteger underWay, int mostUnderWay) {
        this.host = host;
        this.names = names;
        this.threadName = "holdfast-" + clientName + "-lookup";
        this.underWay = underWay;
        this.mostUnderWay = mostUnderWay;
    }

    @Override
    public Search ask(EventLoop loop, boolean anew, Asker asker) {
        Lookup lookup = new Lookup(loop, anew, asker);
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host.host());
        if (address == null && underWay.get() >= mostUnderWay) {
            asker.unknown(Kind.UNREACHABLE, mostUnderWay + " lookups have no answer yet");
        } else if (address == null) {
            lookup.start();
        } else {
            lookup.pass(address);
        }
        return lookup;
    }

    private List<InetSocketAddress> withPort(List<InetAddress> addresses) {
        return addresses.stream()
                .map(address -> new InetSocketAddress(asWritten(address), host.port()))
                .toList();
    }

    /** An address under the name that the user wrote, however it was spelled for the lookup. */
    private InetAddress asWritten(InetAddress address) {
        try {
            return address instanceof Inet6Address six && six.getScopeId() != 0
                    ? Inet6Address.getByAddress(host.host(), six.getAddress(), six.getScopeId())
                    : InetAddress.getByAddress(host.host(), address.getAddress());
        } catch (UnknownHostException wrongLength) {
            return address;
        }
    }

    private final class Lookup implements Search {

        private final EventLoop loop;
        private final boolean anew;
        private final Asker asker;

        /** The event loop's own. */
        private boolean cancelled;

        Lookup(EventLoop loop, boolean anew, Asker asker) {
            this.loop = loop;
            this.anew = anew;
            this.asker = asker;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        void pass(byte[] address) {
            try {
                asker.found(withPort(List.of(InetAddress.getByAddress(host.host(), address))));
            } catch (UnknownHostException wrongLength) {
                asker.unknown(Kind.UNREACHABLE, "the host is unknown");
            }
        }

        void start() {
            Thread thread = new Thread(null, this::run, threadName, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(HostWhereabouts.class.getClassLoader());
            thread.start();
        }

        private void run() {
            underWay.incrementAndGet();
            try {
                look();
            } finally {
                underWay.decrementAndGet();
            }
        }

        private void look() {
            try {
                List<InetAddress> addresses = anew ? names.addressesNow(host.host()) : names.addresses(host.host());
                tell(() -> asker.found(withPort(addresses)));
            } catch (UnknownHostException missing) {
                tell(() -> asker.unknown(Kind.UNREACHABLE, "the host is unknown"));
            }
        }

        private void tell(Runnable answer) {
            try {
                loop.execute(() -> {
                    if (!cancelled) {
                        answer.run();
                    }
                });
            } catch (RejectedExecutionException closed) {
                // The client was closed while the name server was thinking: no caller needs the answer any more.
                return;
            }
        }
    }
}
