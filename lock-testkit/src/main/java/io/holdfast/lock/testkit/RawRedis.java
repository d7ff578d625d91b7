package io.holdfast.lock.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plain blocking connection, for looking at a server from outside the client under test.
 *
 * <pre>{@code
 * try (RawRedis raw = redis.connect()) {
 *     raw.command("SET", "a", "1");                    // "OK"
 *     raw.integer("PTTL", "holdfast:{stock}");         // a long
 *     raw.map("HGETALL", "holdfast:{stock}");          // a Map<String, String>
 *     raw.calls("evalsha");                            // how often EVALSHA ran so far
 * }
 * }</pre>
 *
 * <p>It speaks RESP2; after {@code command("HELLO", "3")} also RESP3. One thread at a time may use it.
 */
public final class RawRedis implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
    private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final OutputStream out;
    private final RespReader in;

    private RawRedis(Socket socket) throws IOException {
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = new RespReader(socket.getInputStream());
    }

    /**
     * Connects without any handshake.
     *
     * @throws UncheckedIOException when no server listens there
     */
    public static RawRedis connect(String host, int port) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(DEFAULT_TIMEOUT_MILLIS);
            return new RawRedis(socket);
        } catch (IOException e) {
            closeQuietlyInto(e, socket);
            throw new UncheckedIOException("can't connect to " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** How long a reply may take; 10 seconds by default. */
    public RawRedis timeout(Duration timeout) {
        try {
            socket.setSoTimeout(Math.max(1, Math.toIntExact(timeout.toMillis())));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("can't set the timeout of " + this, e);
        }
    }

    /**
     * Sends a command and returns its reply: a String, Long, List, null, or with RESP3 also Double, Boolean, Map. An
     * error inside a list is a {@link RedisErrorReply} element.
     *
     * @throws RedisErrorReply when the whole reply is an error
     * @throws UncheckedIOException when the connection ends, or no reply comes in time
     */
    public @Nullable Object command(String... words) {
        send(words);
        return receive();
    }

    /**
     * Sends a command after {@code ASKING}: a node of a cluster to which a slot is being moved then serves the slot, for
     * this command.
     */
    public @Nullable Object asking(String... words) {
        command("ASKING");
        return command(words);
    }

    /** Sends a command and leaves its reply for {@link #receive()}. */
    public void send(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        sendBytes(request.toByteArray());
    }

    /** Sends bytes as they are, for what is no proper command. */
    public void sendBytes(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("can't send to " + this + ": " + e.getMessage(), e);
        }
    }

    /** Waits for the next reply, or for a pushed message. */
    public @Nullable Object receive() {
        Object reply;
        try {
            reply = in.read();
        } catch (IOException e) {
            throw new UncheckedIOException("no reply from " + this + ": " + e.getMessage(), e);
        }
        if (reply instanceof RedisErrorReply error) {
            throw error;
        }
        return reply;
    }

    /** A command whose reply is text; null when there is none. */
    public @Nullable String text(String... words) {
        return (String) command(words);
    }

    /** A command whose reply is a number. */
    public long integer(String... words) {
        return (Long) Objects.requireNonNull(command(words), "a nil reply to " + words[0]);
    }

    /** A command whose reply is a list of texts, such as KEYS. */
    public List<String> list(String... words) {
        List<?> reply = (List<?>) Objects.requireNonNull(command(words), "a nil reply to " + words[0]);
        return reply.stream().map(String::valueOf).toList();
    }

    /** A command whose reply is a list of names and values, such as HGETALL or CONFIG GET; in the server's order. */
    public Map<String, String> map(String... words) {
        List<String> flat = list(words);
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            map.put(flat.get(i), flat.get(i + 1));
        }
        return map;
    }

    /** One section of INFO, such as {@code clients} or {@code commandstats}, as names and values. */
    public Map<String, String> info(String section) {
        Map<String, String> info = new LinkedHashMap<>();
        for (String line : String.valueOf(command("INFO", section)).lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                info.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return info;
    }

    /**
     * How often a command has run since the start, or since {@code CONFIG RESETSTAT}, by any client: the calls that
     * scripts made count too.
     *
     * @param command in lower case; sub-commands as {@code client|list} since Redis 7
     */
    public long calls(String command) {
        String stats = info("commandstats").get("cmdstat_" + command);
        return stats == null ? 0 : Long.parseLong(stats.substring("calls=".length(), stats.indexOf(',')));
    }

    /**
     * The connections that the server has, in the order of their ids; each as the fields of CLIENT LIST, such as
     * {@code id}, {@code addr}, {@code name} and {@code cmd}.
     */
    public List<Map<String, String>> clients() {
        return String.valueOf(command("CLIENT", "LIST"))
                .lines()
                .filter(line -> !line.isBlank())
                .map(RawRedis::fields)
                .toList();
    }

    private static Map<String, String> fields(String line) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : line.split(" ", -1)) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                fields.put(field.substring(0, equals), field.substring(equals + 1));
            }
        }
        return fields;
    }

    /** Turns this connection into a MONITOR stream; afterwards only {@link RedisMonitor} uses it. */
    RespReader startMonitor() {
        command("MONITOR");
        timeout(Duration.ofDays(1));
        return in;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("can't close " + this, e);
        }
    }

    @Override
    public String toString() {
        return socket.getLocalSocketAddress() + " -> " + socket.getRemoteSocketAddress();
    }

    private static void closeQuietlyInto(IOException reason, Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }
}
