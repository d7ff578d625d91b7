package io.holdfast.lock.netty.address;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What an address leads to, without who we are there. */
public sealed interface Target {

    /** As faults and log lines name it, once it is made printable. */
    String node();

    /** Whether it may lead to one server now and to another later. */
    default boolean isOneOfSeveral() {
        return false;
    }

    /**
     * A server at a port of a host.
     *
     * @param host a name or an address, without the brackets of IPv6
     */
    record Host(String host, int port) implements Target {

        @Override
        public String node() {
            return (isIpV6() ? "[" + host + "]" : host) + ":" + port;
        }

        /** What a server of others says that it is; null if that is no address. */
        public static @Nullable Host announced(@Nullable String host, @Nullable String port) {
            try {
                return HostText.announced(String.valueOf(host), String.valueOf(port));
            } catch (Malformed noAddress) {
                return null;
            }
        }

        private boolean isIpV6() {
            return host.indexOf(':') >= 0;
        }

        /** By hand, like the next: on JDK 17 the generated one keeps this class, and so its loader, alive for ever. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Host that && port == that.port && host.equals(that.host);
        }

        @Override
        public int hashCode() {
            return 31 * host.hashCode() + port;
        }
    }

    /**
     * A server that listens at the file of a Unix socket.
     *
     * @param path absolute
     */
    record SocketFile(String path) implements Target {

        @Override
        public String node() {
            return path;
        }
    }

    /**
     * The server that Sentinels call the master of this name.
     *
     * @param seeds Sentinels to ask, at least one
     */
    record Sentinels(List<Host> seeds, String master) implements Target {

        @Override
        public boolean isOneOfSeveral() {
            return true;
        }

        @Override
        public String node() {
            return master + " of Sentinel " + seedNodes();
        }

        String seedNodes() {
            return Target.nodes(seeds);
        }
    }

    /**
     * That one of these servers which is the primary.
     *
     * @param seeds at least one
     */
    record Replicas(List<Host> seeds) implements Target {

        @Override
        public boolean isOneOfSeveral() {
            return true;
        }

        @Override
        public String node() {
            return Target.nodes(seeds);
        }
    }

    /**
     * The cluster that these nodes are of.
     *
     * @param seeds at least one
     */
    record Nodes(List<Host> seeds) implements Target {

        @Override
        public boolean isOneOfSeveral() {
            return true;
        }

        @Override
        public String node() {
            return "cluster " + Target.nodes(seeds);
        }

        /** As the address has them. */
        String seedNodes() {
            return Target.nodes(seeds);
        }
    }

    private static String nodes(List<Host> hosts) {
        return hosts.stream().map(Host::node).collect(Collectors.joining(","));
    }
}
