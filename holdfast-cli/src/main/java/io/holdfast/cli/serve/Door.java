package io.holdfast.cli.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;

/**
 * Who may see the page: requests that name this host, so that no other site's script reaches it by a name of its own that
 * leads here; and, if there is a token, those that bring it.
 */
final class Door {

    private static final String COOKIE = "holdfast=";
    private static final String QUERY = "token=";

    private final Set<String> hosts;
    private final String token;

    /**
     * @param hosts the names and addresses of this host, without a port
     * @param token empty for none
     */
    Door(Set<String> hosts, String token) {
        this.hosts = hosts;
        this.token = token;
    }

    boolean namesThisHost(HttpExchange request) {
        String host = request.getRequestHeaders().getFirst("Host");
        return host != null && hosts.contains(host.replaceFirst(":\\d+$", ""));
    }

    /** Whether the request brings the token: by a header, by a cookie, or once by its query. */
    boolean isOpen(HttpExchange request) {
        if (token.isEmpty()) {
            return true;
        }
        Headers headers = request.getRequestHeaders();
        String bearer = headers.getFirst("Authorization");
        String cookie = headers.getFirst("Cookie");
        return (bearer != null && is(bearer.replaceFirst("^Bearer ", "")))
                || (cookie != null && is(after(cookie, COOKIE, ";")))
                || bringsIt(request);
    }

    /** Whether its query has the token: then a cookie takes the token's place, and the address bar loses it. */
    boolean bringsIt(HttpExchange request) {
        String query = request.getRequestURI().getQuery();
        return !token.isEmpty() && query != null && is(after(query, QUERY, "&"));
    }

    String cookie() {
        return COOKIE + token + "; HttpOnly; SameSite=Strict; Path=/";
    }

    /** In a time that does not tell how much of it is right. */
    private boolean is(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static String after(String text, String start, String end) {
        int from = text.indexOf(start);
        if (from < 0) {
            return "";
        }
        int to = text.indexOf(end, from);
        return text.substring(from + start.length(), to < 0 ? text.length() : to);
    }
}
