package io.holdfast.lock;

import io.holdfast.lock.text.Durations;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Checks that options share. */
final class Options {

    /** Longer than any sensible lease or timeout, and short enough for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(3650);

    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** After each change of the primary no lock is granted for so long: more is a mistake in writing. */
    private static final Duration LONGEST_GUARD = Duration.ofDays(1);

    private static final int LONGEST_APPLICATION = 128;

    private Options() {}

    static Duration atLeast(Duration least, String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    name + ": " + Durations.of(value) + " (expected: at least " + Durations.of(least) + ")");
        }
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + ": " + Durations.of(value) + " (expected: at most " + Durations.of(LONGEST) + ")");
        }
        return value;
    }

    /** A time that has to pass. */
    static Duration time(String name, Duration value) {
        return atLeast(SHORTEST, name, value);
    }

    /** The longest lease that a failover guard protects. */
    static Duration guard(Duration value) {
        return between(LockOptions.MIN_WATCHDOG_LEASE, LONGEST_GUARD, "failoverGuard", value);
    }

    static Duration between(Duration least, Duration most, String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(name + ": " + Durations.of(value) + " (expected: " + Durations.of(least)
                    + " to " + Durations.of(most) + ")");
        }
        return value;
    }

    static int between(int least, int most, String name, int value) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
        return value;
    }

    static void notLonger(String name, Duration value, String otherName, Duration other) {
        if (value.compareTo(other) > 0) {
            throw new IllegalArgumentException(name + ": " + Durations.of(value) + " contradicts " + otherName + ": "
                    + Durations.of(other) + " (expected: not longer)");
        }
    }

    /** Refuses a lease of calls that name none, if the failover guard does not protect it. */
    static void leasesWithin(LockOptions locks, Duration longest) {
        if (locks.lease().isPresent()) {
            notLonger("lease", locks.lease().get(), "failoverGuard", longest);
        } else {
            notLonger("watchdogLease", locks.watchdogLease(), "failoverGuard", longest);
        }
    }

    static void notBoth(String name, Optional<?> value, String otherName, Optional<?> other) {
        if (value.isPresent() && other.isPresent()) {
            throw new IllegalArgumentException(name + " contradicts " + otherName + " (expected: one of them)");
        }
    }

    /** A text that is not empty. What else it has to be is known where it is read. */
    static String address(String value) {
        if (Objects.requireNonNull(value, "address").isEmpty()) {
            throw new IllegalArgumentException("address: '' (expected: redis://host:port, for one)");
        }
        return value;
    }

    /** The address that options have to have, where the call names none. */
    static String requiredAddress(ClientOptions options) {
        return Objects.requireNonNull(options, "options")
                .address()
                .orElseThrow(() -> new IllegalArgumentException("address: none (expected: one, by"
                        + " ClientOptions.Builder.address, as 'address' in the file, or in HOLDFAST_ADDRESS)"));
    }

    /** Refuses an address in the options that is not the call's: which of them is meant can't be guessed. */
    static void notElsewhere(String url, ClientOptions options) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(options, "options");
        if (options.address().filter(address -> !address.equals(url)).isPresent()) {
            throw new IllegalArgumentException("address: the one of the call contradicts the one of the options"
                    + " (expected: one of them; ClientOptions.Builder.noAddress takes the latter back)");
        }
    }

    /** Refuses an address in the options of a quorum, which has several. */
    static void noAddress(ClientOptions options) {
        if (Objects.requireNonNull(options, "options").address().isPresent()) {
            throw new IllegalArgumentException("address: one, in the options of a quorum (expected: none;"
                    + " the call has the addresses of all nodes)");
        }
    }

    /** Refuses replicas in the options of a quorum: its majority is what replicas are there for elsewhere. */
    static void noReplicas(ClientOptions options) {
        options.waitForReplicas().ifPresent(Options::refuseReplicas);
    }

    private static void refuseReplicas(ReplicaWait wait) {
        throw new IllegalArgumentException("waitForReplicas: " + wait + ", in the options of a quorum (expected: none;"
                + " each node decides for itself, and a majority of them for the lock)");
    }

    /** Refuses a failover guard in the options of a quorum: none of its nodes is replaced by another server. */
    static void noGuard(ClientOptions options) {
        options.failoverGuard().ifPresent(Options::refuseGuard);
    }

    private static void refuseGuard(Duration longestLease) {
        throw new IllegalArgumentException("failoverGuard: " + Durations.of(longestLease)
                + ", in the options of a quorum (expected: none; no node of a quorum fails over)");
    }

    static String prefix(String value) {
        Objects.requireNonNull(value, "prefix");
        if (value.isEmpty() || value.length() > 128 || !value.chars().allMatch(Options::isPrefixChar)) {
            throw new IllegalArgumentException(
                    "prefix: '" + Printable.of(value)
                            + "' (expected: 1 to 128 visible ASCII characters without braces and the pattern characters *?[]\\)");
        }
        if (value.endsWith(":token") || value.endsWith(":fenced") || value.endsWith(":client")) {
            throw new IllegalArgumentException("prefix: '" + Printable.of(value)
                    + "' (expected: not to end in ':token', ':fenced' or ':client', which would mix locks up with clocks,"
                    + " values and records)");
        }
        return value;
    }

    static String clientName(String value) {
        Objects.requireNonNull(value, "clientName");
        if (value.isEmpty() || value.length() > 64 || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException("clientName: '" + Printable.of(value)
                    + "' (expected: 1 to 64 visible ASCII characters without spaces)");
        }
        return value;
    }

    static String applicationName(String value) {
        Objects.requireNonNull(value, "applicationName");
        if (value.isBlank()
                || value.length() > LONGEST_APPLICATION
                || value.chars().anyMatch(c -> Character.isISOControl(c))) {
            throw new IllegalArgumentException("applicationName: '" + Printable.of(value) + "' (expected: 1 to "
                    + LONGEST_APPLICATION + " characters on one line)");
        }
        return value;
    }

    /** The name of a host, or an IP address without brackets. */
    static String host(String name, String value) {
        Objects.requireNonNull(value, name);
        if (value.isEmpty() || value.length() > 253 || !value.chars().allMatch(Options::isHostChar)) {
            throw new IllegalArgumentException(
                    name + ": '" + Printable.of(value) + "' (expected: a host name or an IP address)");
        }
        return value;
    }

    private static boolean isHostChar(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-:".indexOf(c) >= 0;
    }

    private static boolean isPrefixChar(int c) {
        return c > ' ' && c < 127 && "{}*?[]\\".indexOf(c) < 0;
    }
}
