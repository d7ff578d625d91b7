package io.holdfast.lock.netty.connection;

import io.holdfast.lock.text.Printable;
import io.netty.util.Version;

/** The Netty of an application that lacks a class of the one that this library needs. */
final class NettyFound {

    /** The oldest with classes for all transports that are one API. */
    private static final String NEEDED = "4.2";

    private NettyFound() {}

    /** Why a transport can't be used: it is not there, or all of Netty is of another version. */
    static String insteadOf(LinkageError absent) {
        try {
            Class.forName("io.netty.channel.MultiThreadIoEventLoopGroup", false, NettyFound.class.getClassLoader());
            return "it is not on the class path";
        } catch (ClassNotFoundException older) {
            absent.addSuppressed(older);
            Version found = Version.identify(NettyFound.class.getClassLoader()).get("netty-transport");
            return "Netty " + (found == null ? "of an unknown version" : Printable.of(found.artifactVersion()))
                    + " is on the class path (expected: " + NEEDED + " or later, in all of its modules)";
        }
    }
}
