package io.holdfast.lock.netty.address;

import static io.holdfast.lock.netty.address.AddressText.decode;
import static io.holdfast.lock.netty.address.AddressText.firstOf;
import static io.holdfast.lock.netty.address.AddressText.number;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What follows the hosts of an address, or the place where hosts would be: a database, a master's name, a path. */
final class PathText {

    private static final String DATABASE_IS = "database=";
    private static final String A_NUMBER = "a number from 0 to 999999999";

    /** What the address of a socket has room for on Linux. */
    private static final int LONGEST_PATH_BYTES = 107;

    private PathText() {}

    /** The parts between the slashes, at least one, of which the last may be empty. */
    static List<String> parts(String path) {
        if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
            throw new Malformed("'?' and '#' mean nothing here; what can be configured is in ClientOptions");
        }
        return path.isEmpty() ? List.of("") : Arrays.asList(path.substring(1).split("/", -1));
    }

    /** The database of the parts that are left for it; 0 if there are none, or one that is empty. */
    static int database(List<String> parts) {
        if (parts.isEmpty() || parts.equals(List.of(""))) {
            return 0;
        }
        int database = number(parts.get(0));
        if (database >= 0 && parts.size() > 1 && number(parts.get(1)) >= 0) {
            throw new Malformed("there are two databases");
        }
        if (database < 0 || parts.size() > 1) {
            throw new Malformed("the database must be " + A_NUMBER);
        }
        return database;
    }

    static String master(String text) {
        if (text.isEmpty()) {
            throw new Malformed("the master's name is missing");
        }
        return AddressText.name(text, "the master's name");
    }

    static Target.SocketFile socketFile(String host, String pathAndQuery) {
        String path = decode(pathAndQuery.substring(0, firstOf("?#", pathAndQuery)), "path");
        if (!host.isEmpty() || path.isEmpty()) {
            throw new Malformed("the path of a Unix socket must be absolute: unix:///path");
        }
        if (path.endsWith("/")) {
            throw new Malformed("the path of a Unix socket names a directory");
        }
        if (path.indexOf('\0') >= 0 || path.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH_BYTES) {
            throw new Malformed(
                    "the path of a Unix socket may have " + LONGEST_PATH_BYTES + " bytes, none of them zero");
        }
        return new Target.SocketFile(path);
    }

    static int databaseOfQuery(String pathAndQuery) {
        if (pathAndQuery.indexOf('#') >= 0) {
            throw new Malformed("'#' means nothing here");
        }
        int queryStart = pathAndQuery.indexOf('?');
        if (queryStart < 0) {
            return 0;
        }
        String query = pathAndQuery.substring(queryStart + 1);
        if (query.indexOf(DATABASE_IS) != query.lastIndexOf(DATABASE_IS)) {
            throw new Malformed("there are two databases");
        }
        int database = query.startsWith(DATABASE_IS) ? number(query.substring(DATABASE_IS.length())) : -1;
        if (database < 0) {
            throw new Malformed("what follows '?' must be database= and " + A_NUMBER);
        }
        return database;
    }
}
