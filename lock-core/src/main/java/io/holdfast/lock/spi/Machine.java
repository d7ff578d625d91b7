package io.holdfast.lock.spi;

import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The machine and process of a client, for people to find it.
 *
 * @param host the machine's name, made printable; empty if it is not known
 * @param processId the process's number on that machine
 */
public record Machine(String host, long processId) {

    private static final Path LINUX_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final int LONGEST_NAME = 255;

    public Machine {
        String shown = Printable.of(Objects.requireNonNull(host, "host"));
        host = shown.substring(0, Math.min(LONGEST_NAME, shown.length()));
    }

    /** The machine and the process of the caller. It may ask a name server: not for a thread that must not block. */
    public static Machine here() {
        return new Machine(hostName(), ProcessHandle.current().pid());
    }

    private static String hostName() {
        try {
            return Files.readString(LINUX_NAME).strip();
        } catch (IOException | SecurityException notLinux) {
            return resolvedName();
        }
    }

    private static String resolvedName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "";
        }
    }
}
