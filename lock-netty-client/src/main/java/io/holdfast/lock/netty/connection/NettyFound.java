package io.holdfast.lock.netty.connection;

import io.holdfast.lock.IoTransport;
import io.holdfast.lock.text.Printable;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.Version;
import io.netty.util.concurrent.EventExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The Netty of an application: 4.1 or 4.2, and one of them in all modules. */
final class NettyFound {

    private NettyFound() {}

    /**
     * Refuses modules of 4.1 beside modules of 4.2: they link, and fail at the first connection.
     *
     * @param more classes of the modules that a transport needs besides
     * @throws IllegalStateException with the version of each module
     */
    static void requireOne(Class<?>... more) {
        List<Class<?>> needed = List.of(EventExecutor.class, ByteBuf.class, Channel.class);
        String line = line(Channel.class);
        if (needed.stream().anyMatch(each -> !line(each).equals(line))
                || Arrays.stream(more).anyMatch(each -> !line(each).equals(line))) {
            throw new IllegalStateException(Printable.message("Netty 4.1 and 4.2 are mixed on the class path: "
                    + found() + " (expected: one version in all modules)"));
        }
    }

    /** Why a transport can't be used: it is not there, or all of Netty is of another version. */
    static String insteadOf(IoTransport transport, LinkageError absent) {
        try {
            Class.forName("io.netty.channel.MultiThreadIoEventLoopGroup", false, NettyFound.class.getClassLoader());
            return "it is not on the class path";
        } catch (ClassNotFoundException older) {
            absent.addSuppressed(older);
            Version found = Version.identify(NettyFound.class.getClassLoader()).get("netty-transport");
            String needed = transport == IoTransport.IO_URING ? "4.2" : "the latest 4.1";
            return "Netty " + (found == null ? "of an unknown version" : Printable.of(found.artifactVersion()))
                    + " is on the class path (expected: " + needed + " or later, in all of its modules)";
        }
    }

    /** As its manifest says, such as 4.2; empty where that is not known, as on a module path. */
    private static String line(Class<?> ofModule) {
        String version = ofModule.getPackage().getImplementationVersion();
        return version == null ? "" : version.substring(0, Math.max(0, version.indexOf('.', version.indexOf('.') + 1)));
    }

    private static Map<String, String> found() {
        Map<String, String> versions = new TreeMap<>();
        Version.identify(NettyFound.class.getClassLoader())
                .forEach((module, version) -> versions.put(module, version.artifactVersion()));
        return versions;
    }
}
