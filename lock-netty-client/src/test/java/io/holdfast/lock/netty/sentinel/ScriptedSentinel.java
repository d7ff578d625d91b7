package io.holdfast.lock.netty.sentinel;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.sentinel.Testimony.Other;
import io.holdfast.lock.netty.sentinel.Testimony.Word;
import io.holdfast.lock.netty.topology.FakeServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A Sentinel that says what a test has it say, and something else when the test changes its mind. */
final class ScriptedSentinel implements AutoCloseable {

    static final String ADDRESS = "SENTINEL GET-MASTER-ADDR-BY-NAME";
    static final String PRIMARY = "SENTINEL MASTER";
    static final String OTHERS = "SENTINEL SENTINELS";
    static final String OWN_ID = "SENTINEL MYID";
    static final String UNKNOWN_NAME = "-ERR No such master with that name\r\n";
    /** In place of an answer: none. */
    static final String NO_ANSWER = "";

    private static final CountDownLatch OPEN = new CountDownLatch(0);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private final ServerSocket listening;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Map<String, Function<List<String>, String>> instead = new ConcurrentHashMap<>();
    private final Map<String, Integer> heard = new ConcurrentHashMap<>();

    private final String id;
    private volatile Word word;
    private volatile List<Other> others = List.of();
    /** Negative: as many as it names. */
    private volatile int otherCount = -1;

    private volatile String primaryRunId = "";
    private volatile boolean leading;

    private volatile boolean resp3 = true;
    private volatile boolean refusing;
    private volatile long wayNanos;
    private volatile CountDownLatch gate = OPEN;

    private ScriptedSentinel(ServerSocket listening) {
        this.listening = listening;
        this.id = String.format("%040x", listening.getLocalPort());
    }

    static ScriptedSentinel start() {
        try {
            ScriptedSentinel sentinel = new ScriptedSentinel(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            daemon(sentinel::acceptAll);
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // --- what it says ---

    /** It names this primary from now on, with this epoch. */
    void names(Target.Host primary, long epoch) {
        word = new Word(primary, epoch);
    }

    void names(FakeServer primary, long epoch) {
        names(new Target.Host("127.0.0.1", primary.port()), epoch);
    }

    /** It watches no primary of any name. */
    void namesNone() {
        word = null;
    }

    void knows(List<ScriptedSentinel> sentinels) {
        others = sentinels.stream()
                .filter(each -> each != this)
                .map(each -> new Other(each.id, each.address()))
                .toList();
    }

    /** It says that there are so many others, whichever it names. */
    void countsOthers(int count) {
        otherCount = count;
    }

    /** It has found this process at the primary's address. */
    void finds(String runId) {
        primaryRunId = runId;
    }

    /** As one that leads a failover: all but the address, and the epoch, is of the primary of before. */
    void leads(boolean isUnderWay) {
        leading = isUnderWay;
    }

    /** It knows no HELLO. */
    void speaksResp2() {
        resp3 = false;
    }

    /** Raw bytes in place of an answer. */
    void says(String question, String answer) {
        instead.put(question, command -> answer);
    }

    void says(String question, Function<List<String>, String> answer) {
        instead.put(question, answer);
    }

    void answersAsBefore(String question) {
        instead.remove(question);
    }

    /** Its answers to a round take so long. */
    void isFarAway(Duration way) {
        wayNanos = way.toNanos();
    }

    /** Hears all and answers nothing, as if it were stopped. */
    void hang() {
        gate = new CountDownLatch(1);
    }

    /** Answers what it has heard, and whatever follows. */
    void goOn() {
        gate.countDown();
    }

    /** Hangs up, also on each that comes. */
    void refuse() {
        refusing = true;
        connections.forEach(Connection::end);
    }

    void refuseNoMore() {
        refusing = false;
    }

    /** Says to all that listen that a primary was replaced. */
    void tell(String message) {
        say(push(message));
    }

    /** Says bytes to all that listen. */
    void say(String bytes) {
        connections.stream().filter(each -> each.subscribed).forEach(each -> each.write(bytes));
    }

    static String push(String message) {
        return ">3\r\n" + bulk("message") + bulk("+switch-master") + bulk(message);
    }

    // --- what has become of it ---

    Target.Host address() {
        return new Target.Host("127.0.0.1", listening.getLocalPort());
    }

    String id() {
        return id;
    }

    /** How often it was asked. */
    int rounds() {
        return times(PRIMARY);
    }

    int times(String question) {
        return heard.getOrDefault(question, 0);
    }

    int connections() {
        return connections.size();
    }

    boolean hasListener() {
        return connections.stream().anyMatch(each -> each.subscribed);
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        goOn();
        connections.forEach(Connection::end);
    }

    // --- its bytes ---

    static String bulk(String text) {
        return "$" + text.getBytes(StandardCharsets.UTF_8).length + "\r\n" + text + "\r\n";
    }

    /** A list of texts. */
    static String list(String... texts) {
        return "*" + texts.length + "\r\n"
                + Arrays.stream(texts).map(ScriptedSentinel::bulk).collect(Collectors.joining());
    }

    private String map(String... entries) {
        return resp3 ? list(entries).replaceFirst("\\*[0-9]+", "%" + entries.length / 2) : list(entries);
    }

    private String answer(String question, List<String> command) {
        return switch (question) {
            case "HELLO" -> resp3 ? map("mode", "sentinel") : "-ERR unknown command 'HELLO'\r\n";
            case "PING" -> bulk(command.size() > 1 ? command.get(1) : "PONG");
            case ADDRESS -> address(word);
            case PRIMARY ->
                word == null
                        ? UNKNOWN_NAME
                        : map(
                                "name",
                                command.get(2),
                                "ip",
                                leading ? "127.0.0.9" : word.primary().host(),
                                "port",
                                String.valueOf(word.primary().port()),
                                "runid",
                                primaryRunId,
                                "config-epoch",
                                String.valueOf(word.epoch()),
                                "num-other-sentinels",
                                String.valueOf(otherCount < 0 ? others.size() : otherCount));
            case OTHERS -> others();
            case OWN_ID -> bulk(id);
            default -> "+OK\r\n";
        };
    }

    private String address(Word named) {
        if (named == null) {
            return resp3 ? "_\r\n" : "*-1\r\n";
        }
        return list(named.primary().host(), String.valueOf(named.primary().port()));
    }

    private String others() {
        List<Other> all = others;
        return "*" + all.size() + "\r\n"
                + all.stream()
                        .map(each -> other(
                                each.id(), each.address().host(), each.address().port()))
                        .collect(Collectors.joining());
    }

    String other(String runId, String host, int port) {
        return map("name", runId, "ip", host, "port", String.valueOf(port), "runid", runId, "flags", "sentinel");
    }

    private void acceptAll() {
        while (!listening.isClosed()) {
            try {
                Connection connection = new Connection(listening.accept());
                if (refusing) {
                    connection.end();
                } else {
                    connections.add(connection);
                    daemon(connection::serve);
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "scripted-sentinel");
        thread.setDaemon(true);
        thread.start();
    }

    private final class Connection {

        private final Socket socket;
        private volatile boolean subscribed;

        Connection(Socket socket) {
            this.socket = socket;
        }

        void serve() {
            try (socket) {
                InputStream in = new BufferedInputStream(socket.getInputStream());
                for (List<String> command = FakeServer.read(in); !command.isEmpty(); command = FakeServer.read(in)) {
                    gate.await();
                    if (command.size() > 1 && command.get(1).equals("MASTER")) {
                        NEVER.await(wayNanos, TimeUnit.NANOSECONDS);
                    }
                    hear(command);
                }
            } catch (IOException | InterruptedException hungUp) {
                return;
            } finally {
                connections.remove(this);
            }
        }

        private void hear(List<String> command) {
            String question = command.get(0).equals("SENTINEL") ? "SENTINEL " + command.get(1) : command.get(0);
            heard.merge(question, 1, Integer::sum);
            Function<List<String>, String> other = instead.get(question);
            if (other != null) {
                write(other.apply(command));
            } else if (question.equals("SUBSCRIBE")) {
                write(">3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n");
                subscribed = true;
            } else {
                write(answer(question, command));
            }
        }

        synchronized void write(String bytes) {
            try {
                socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
            } catch (IOException hungUp) {
                end();
            }
        }

        void end() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
