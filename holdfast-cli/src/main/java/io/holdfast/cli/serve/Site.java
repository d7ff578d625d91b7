package io.holdfast.cli.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The page, its script and style, a stream of what the feed tells, and a look at one lock. Read only. */
public final class Site implements AutoCloseable {

    private static final Map<String, String> FILES = Map.of(
            "/", "index.html text/html", "/page.js", "page.js text/javascript", "/page.css", "page.css text/css");

    private static final int OK = 200;
    private static final int FOUND = 302;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int MISDIRECTED = 421;
    private static final int UNAVAILABLE = 503;

    /** A comment in the stream finds out that the browser is gone. */
    private static final long HEARTBEAT_SECONDS = 10;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "holdfast-page");
        thread.setDaemon(true);
        return thread;
    });
    private final Feed feed;
    private final Door door;
    private final Function<String, String> inspect;

    private Site(HttpServer server, Feed feed, Door door, Function<String, String> inspect) {
        this.server = server;
        this.feed = feed;
        this.door = door;
        this.inspect = inspect;
    }

    /**
     * Opens it.
     *
     * @param hosts the names and addresses of this host, without a port
     * @param token the word that browsers have to bring; empty for none
     * @param inspect all that is known of a name, as JSON
     * @throws IOException if the port can't be had
     */
    public static Site open(
            InetSocketAddress address, Feed feed, Set<String> hosts, String token, Function<String, String> inspect)
            throws IOException {
        Site site = new Site(HttpServer.create(address, 0), feed, new Door(hosts, token), inspect);
        site.server.setExecutor(site.threads);
        site.server.createContext("/", site::answer);
        site.server.start();
        return site;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange request) throws IOException {
        try (request) {
            Headers headers = request.getResponseHeaders();
            headers.set(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
            headers.set("X-Content-Type-Options", "nosniff");
            headers.set("Referrer-Policy", "no-referrer");
            headers.set("Cache-Control", "no-store");
            String path = request.getRequestURI().getPath();
            if (!door.namesThisHost(request)) {
                send(request, MISDIRECTED, "text/plain", "this is not the host that was asked for (see --host)\n");
            } else if (!door.isOpen(request)) {
                send(request, UNAUTHORIZED, "text/plain", "the token is missing: open /?token=TOKEN once\n");
            } else if (!request.getRequestMethod().equals("GET")) {
                send(request, METHOD_NOT_ALLOWED, "text/plain", "read only\n");
            } else if (door.bringsIt(request)) {
                headers.set("Set-Cookie", door.cookie());
                headers.set("Location", "/");
                send(request, FOUND, "text/plain", "");
            } else if (path.equals("/feed")) {
                stream(request);
            } else if (path.equals("/lock")) {
                lock(request);
            } else {
                file(request, FILES.get(path));
            }
        }
    }

    private void file(HttpExchange request, @Nullable String file) throws IOException {
        if (file == null) {
            send(request, NOT_FOUND, "text/plain", "nothing here\n");
            return;
        }
        String[] nameAndType = file.split(" ", -1);
        try (InputStream content = Objects.requireNonNull(Site.class.getResourceAsStream(nameAndType[0]))) {
            send(request, OK, nameAndType[1], new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private void lock(HttpExchange request) throws IOException {
        String query = Objects.requireNonNullElse(request.getRequestURI().getRawQuery(), "");
        if (!query.startsWith("name=")) {
            send(request, BAD_REQUEST, "text/plain", "no name\n");
            return;
        }
        try {
            String name = URLDecoder.decode(query.substring("name=".length()), StandardCharsets.UTF_8);
            send(request, OK, "application/json", inspect.apply(name));
        } catch (IllegalArgumentException malformed) {
            send(request, BAD_REQUEST, "text/plain", malformed.getMessage() + "\n");
        } catch (RuntimeException refused) {
            send(request, UNAVAILABLE, "text/plain", refused.getMessage() + "\n");
        }
    }

    private void stream(HttpExchange request) throws IOException {
        request.getResponseHeaders().set("Content-Type", "text/event-stream");
        request.sendResponseHeaders(OK, 0);
        try (Feed.Watcher watcher = feed.watch();
                OutputStream out = request.getResponseBody()) {
            while (true) {
                String message = watcher.messages().poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
                if (message != null && message.isEmpty()) {
                    return;
                }
                out.write((message == null ? ":\n\n" : "data: " + message + "\n\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange request, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        request.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            request.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        feed.close();
    }
}
