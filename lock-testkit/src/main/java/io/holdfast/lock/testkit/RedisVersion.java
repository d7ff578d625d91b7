package io.holdfast.lock.testkit;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a server, and which of the two families it belongs to.
 *
 * @param valkey whether the server is Valkey rather than Redis
 * @param major first number
 * @param minor second number
 * @param patch third number
 */
public record RedisVersion(boolean valkey, int major, int minor, int patch) {
    /** The oldest version that Holdfast supports. */
    static final RedisVersion OLDEST_SUPPORTED = new RedisVersion(false, 6, 2, 0);

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

    /** Whether this version is {@code major.minor} or later. */
    public boolean isAtLeast(int major, int minor) {
        return this.major > major || (this.major == major && this.minor >= minor);
    }

    boolean isSupported() {
        return isAtLeast(OLDEST_SUPPORTED.major, OLDEST_SUPPORTED.minor);
    }

    /** Whether DEBUG must be switched on; older servers allow it and refuse the option. */
    boolean hasDebugSwitch() {
        return valkey || isAtLeast(7, 0);
    }

    /**
     * Reads what {@code --version} printed, such as {@code Redis server v=7.0.15 sha=...}.
     *
     * @throws IllegalArgumentException when there is no version in it
     */
    static RedisVersion parse(String printed) {
        Matcher numbers = NUMBERS.matcher(printed);
        if (!numbers.find()) {
            throw new IllegalArgumentException("no version number in: " + printed.strip());
        }
        return new RedisVersion(
                printed.toLowerCase(Locale.ROOT).contains("valkey"),
                Integer.parseInt(numbers.group(1)),
                Integer.parseInt(numbers.group(2)),
                Integer.parseInt(numbers.group(3)));
    }

    /** What a running server says of itself; Valkey also names the Redis version that it is compatible with. */
    static RedisVersion of(RawRedis connection) {
        Map<String, String> info = connection.info("server");
        String valkey = info.get("valkey_version");
        return parse(valkey == null ? String.valueOf(info.get("redis_version")) : "valkey " + valkey);
    }

    /** The bare number, such as {@code 7.0.15}. */
    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
