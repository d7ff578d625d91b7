package io.holdfast.lock.netty.address;

import io.holdfast.lock.text.Printable;
import io.netty.util.NetUtil;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A server's address as users write it: {@code redis://[[user]:password@]host[:port][/database]}, or {@code
 * unix://[[user]:password@]/path[?database=number]}.
 *
 * <p>Read by hand, because {@link java.net.URI} finds no host in {@code redis://my_redis:6379} and quotes the password
 * in its complaints. A complaint of this class quotes nothing: where an address is malformed, no part of it is sure not
 * to be a piece of the password.
 *
 * @param target what it leads to
 * @param user the ACL user, or null for the default user
 * @param password the password, or null to connect without one
 */
public record RedisUri(Target target, @Nullable String user, @Nullable String password, int database) {

    public static final int DEFAULT_PORT = 6379;

    private static final String EXPECTED = " (expected: redis://[[user]:password@]host[:port][/database]"
            + " or unix://[[user]:password@]/path[?database=number])";
    private static final int HIGHEST_PORT = 65_535;
    private static final String DATABASE_IS = "database=";

    /** What the address of a socket has room for on Linux. */
    private static final int LONGEST_PATH_BYTES = 107;

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is malformed, or of a kind that is not supported; names the fault
     */
    public static RedisUri parse(String text) {
        if (!text.equals(text.strip())) {
            throw malformed("it begins or ends with white space");
        }
        int schemeEnd = text.indexOf("://");
        if (schemeEnd < 0) {
            throw malformed("it does not begin with redis://");
        }
        boolean unix = isUnix(text.substring(0, schemeEnd).toLowerCase(Locale.ROOT));
        String rest = text.substring(schemeEnd + 3);
        int authorityEnd = firstOf("/?#", rest);
        String authority = rest.substring(0, authorityEnd);
        String path = rest.substring(authorityEnd);
        if (path.indexOf('@') >= 0) {
            throw malformed("a '/', '?', '#' or '@' in the user, the password or a path must be written %2F, %3F, %23"
                    + " or %40");
        }
        int at = authority.lastIndexOf('@');
        String server = authority.substring(at + 1);
        Target target = unix ? socketFile(server, path) : host(server);
        int database = unix ? databaseOfQuery(path) : database(path);
        if (at < 0) {
            return new RedisUri(target, null, null, database);
        }
        String userInfo = authority.substring(0, at);
        int colon = userInfo.indexOf(':');
        if (colon < 0) {
            throw malformed("there is no ':' before the '@'; a password without a user is written :password@");
        }
        String user = user(userInfo.substring(0, colon));
        String password = decode(userInfo.substring(colon + 1), "password");
        if (password.isEmpty()) {
            throw malformed("the password is empty");
        }
        return new RedisUri(target, user, password, database);
    }

    /** The address with stars for the password. */
    @Override
    public String toString() {
        String who = password == null ? "" : (user == null ? "" : Printable.of(user)) + ":***@";
        return target instanceof Target.Host host
                ? "redis://" + who + Printable.of(host.written()) + "/" + database
                : "unix://" + who + Printable.of(target.node()) + "?database=" + database;
    }

    private static boolean isUnix(String scheme) {
        return switch (scheme) {
            case "redis" -> false;
            case "unix" -> true;
            case "rediss" -> throw malformed("rediss:// (TLS) is not supported yet");
            case "redis+unix", "redis-socket" -> throw malformed("the scheme of a Unix socket is unix://");
            case "redis-sentinel", "redis+sentinel" -> throw malformed("Sentinel is not supported yet");
            default -> throw malformed("its scheme is unknown");
        };
    }

    private static Target host(String server) {
        int hostEnd = hostEnd(server);
        String host = hostName(server.substring(0, hostEnd));
        return new Target.Host(host, hostEnd == server.length() ? DEFAULT_PORT : port(server.substring(hostEnd + 1)));
    }

    private static Target socketFile(String server, String pathAndQuery) {
        String path = decode(pathAndQuery.substring(0, firstOf("?#", pathAndQuery)), "path");
        if (!server.isEmpty() || path.isEmpty()) {
            throw malformed("the path of a Unix socket must be absolute: unix:///path");
        }
        if (path.endsWith("/")) {
            throw malformed("the path of a Unix socket names a directory");
        }
        if (path.indexOf('\0') >= 0 || path.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH_BYTES) {
            throw malformed("the path of a Unix socket may have " + LONGEST_PATH_BYTES + " bytes, none of them zero");
        }
        return new Target.SocketFile(path);
    }

    /** Where the host ends: at the server's end, or at the colon before a port. */
    private static int hostEnd(String server) {
        int end;
        if (server.startsWith("[")) {
            end = server.indexOf(']') + 1;
            if (end == 0 || (end < server.length() && server.charAt(end) != ':')) {
                throw malformed("a host that begins with '[' must end with ']', and only :port may follow");
            }
            return end;
        }
        end = server.indexOf(':');
        if (end != server.lastIndexOf(':')) {
            throw malformed("the host holds more than one ':'; an IPv6 address must be in brackets");
        }
        return end < 0 ? server.length() : end;
    }

    private static String hostName(String text) {
        if (text.isEmpty()) {
            throw malformed("the host is empty");
        }
        if (text.startsWith("[")) {
            // A zone's '%' is %25 by the book, and a bare '%' to most people.
            String address = text.substring(1, text.length() - 1).replace("%25", "%");
            if (!NetUtil.isValidIpV6Address(address)) {
                throw malformed("what is in brackets is not an IPv6 address");
            }
            return address;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "._-".indexOf(c) < 0) {
                throw malformed("the host may hold letters and digits of ASCII, '.', '-' and '_' only");
            }
        }
        return text;
    }

    private static int port(String text) {
        int port = number(text);
        if (port < 1 || port > HIGHEST_PORT) {
            throw malformed("the port must be a number from 1 to " + HIGHEST_PORT);
        }
        return port;
    }

    private static int database(String path) {
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw malformed("'?' and '#' mean nothing here; what can be configured is in ClientOptions");
        }
        if (path.length() <= 1) {
            return 0;
        }
        int database = number(path.substring(1));
        if (database < 0) {
            throw malformed("the database must be a number from 0 to 999999999");
        }
        return database;
    }

    private static int databaseOfQuery(String pathAndQuery) {
        if (pathAndQuery.indexOf('#') >= 0) {
            throw malformed("'#' means nothing here");
        }
        int queryStart = pathAndQuery.indexOf('?');
        if (queryStart < 0) {
            return 0;
        }
        String query = pathAndQuery.substring(queryStart + 1);
        int database = query.startsWith(DATABASE_IS) ? number(query.substring(DATABASE_IS.length())) : -1;
        if (database < 0) {
            throw malformed("what follows '?' must be database= and a number from 0 to 999999999");
        }
        return database;
    }

    /** The number of at most nine digits, or -1 if this is none. */
    private static int number(String text) {
        if (text.isEmpty() || text.length() > 9) {
            return -1;
        }
        int number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }

    private static @Nullable String user(String text) {
        String user = decode(text, "user");
        if (user.codePoints().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c))) {
            throw malformed("the user holds white space or control characters");
        }
        return user.isEmpty() ? null : user;
    }

    /** Undoes percent-encoding. A '+' is a '+'. */
    private static String decode(String text, String what) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer decoded = ByteBuffer.allocate(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] != '%') {
                decoded.put(encoded[i]);
                continue;
            }
            int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
            int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw malformed("a '%' in the " + what + " must be written %25");
            }
            decoded.put((byte) (high << 4 | low));
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString();
        } catch (CharacterCodingException notText) {
            throw malformed("the " + what + " is not UTF-8");
        }
    }

    private static int firstOf(String marks, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (marks.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return text.length();
    }

    private static IllegalArgumentException malformed(String fault) {
        return new IllegalArgumentException("malformed address: " + fault + EXPECTED);
    }
}
