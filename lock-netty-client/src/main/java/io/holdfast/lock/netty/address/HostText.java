package io.holdfast.lock.netty.address;

import static io.holdfast.lock.netty.address.AddressText.number;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Hosts as an address has them: {@code host[:port]}, or several of them with commas between. */
final class HostText {

    private static final int HIGHEST_PORT = 65_535;

    private HostText() {}

    static Target.Host host(String text, int defaultPort) {
        if (text.indexOf(',') >= 0) {
            throw new Malformed("several hosts are for redis-sentinel://, redis-replicas:// and redis-cluster:// only");
        }
        int hostEnd = hostEnd(text);
        String host = name(text.substring(0, hostEnd));
        return new Target.Host(host, hostEnd == text.length() ? defaultPort : port(text.substring(hostEnd + 1)));
    }

    /** A host that another server names: an IPv6 address has no brackets there. */
    static Target.Host announced(String host, String port) {
        String name = host.indexOf(':') >= 0 ? address(host) : name(host);
        return new Target.Host(inOneWay(name), port(port));
    }

    /** Alike for two ways to write one host, since Sentinels may write it in different ones. */
    private static String inOneWay(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        if (address == null) {
            return host.toLowerCase(Locale.ROOT);
        }
        try {
            return NetUtil.toAddressString(InetAddress.getByAddress(address));
        } catch (UnknownHostException wrongLength) {
            return host;
        }
    }

    /** At least one, each of them once. */
    static List<Target.Host> hosts(String text, int defaultPort) {
        if (text.chars().anyMatch(Character::isWhitespace)) {
            throw new Malformed("the list of hosts holds white space");
        }
        List<Target.Host> hosts = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (String each : text.split(",", -1)) {
            if (each.isEmpty() && !text.isEmpty()) {
                throw new Malformed("a host of the list is empty");
            }
            Target.Host host = host(each, defaultPort);
            if (!known.add(identity(host))) {
                throw new Malformed("the list of hosts has one of them twice");
            }
            hosts.add(host);
        }
        return List.copyOf(hosts);
    }

    /** Alike for two ways to write one address. */
    private static String identity(Target.Host host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host.host());
        String name = address == null ? host.host().toLowerCase(Locale.ROOT) : NetUtil.bytesToIpAddress(address);
        return name + " " + host.port();
    }

    /** Where the host ends: at the text's end, or at the colon before a port. */
    private static int hostEnd(String text) {
        int end;
        if (text.startsWith("[")) {
            end = text.indexOf(']') + 1;
            if (end == 0 || (end < text.length() && text.charAt(end) != ':')) {
                throw new Malformed("a host that begins with '[' must end with ']', and only :port may follow");
            }
            return end;
        }
        end = text.indexOf(':');
        if (end != text.lastIndexOf(':')) {
            throw new Malformed("the host holds more than one ':'; an IPv6 address must be in brackets");
        }
        return end < 0 ? text.length() : end;
    }

    private static String name(String text) {
        if (text.isEmpty()) {
            throw new Malformed("the host is empty");
        }
        return text.startsWith("[")
                ? address(text.substring(1, text.length() - 1))
                : AddressText.name(text, "the host");
    }

    private static String address(String text) {
        // It names an interface of one machine, by a name that has no meaning on any other.
        if (text.indexOf('%') >= 0) {
            throw new Malformed("an IPv6 address with a zone (%) can't be used; one without, or a name, can");
        }
        if (!NetUtil.isValidIpV6Address(text)) {
            throw new Malformed("what is in brackets is not an IPv6 address");
        }
        return text;
    }

    private static int port(String text) {
        int port = number(text);
        if (port < 1 || port > HIGHEST_PORT) {
            throw new Malformed("the port must be a number from 1 to " + HIGHEST_PORT);
        }
        return port;
    }
}
