package io.holdfast.lock.netty.address;

/** What an address leads to, without who we are there. */
public sealed interface Target {

    /** As faults and log lines name it, once it is made printable. */
    String node();

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

        /** The host as an address has it: a zone's '%' is written %25 there. */
        String written() {
            return (isIpV6() ? "[" + host.replace("%", "%25") + "]" : host) + ":" + port;
        }

        private boolean isIpV6() {
            return host.indexOf(':') >= 0;
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
}
