package io.holdfast.lock.netty.topology;

import io.holdfast.lock.spi.Script;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server that shakes hands like Redis and then answers whatever a test wants, in raw bytes. */
public final class FakeServer implements AutoCloseable {

    /** When a client has asked these, in any order, it has asked all. */
    private static final Set<String> LAST_QUESTIONS = Set.of("INFO server", "INFO persistence");

    /** What a handshake asks for, to see whether there are scripts at all. */
    private static final String NO_SCRIPT = "0".repeat(40);

    private final ServerSocket listening;
    private final Function<List<String>, String> answers;
    private final List<Socket> clients = new CopyOnWriteArrayList<>();
    private final AtomicInteger greeted = new AtomicInteger();
    private final AtomicInteger turnedAway = new AtomicInteger();
    private volatile boolean cutting;
    private volatile boolean full;
    private volatile String information = "role:master\r\nrun_id:abc\r\n";

    private FakeServer(ServerSocket listening, Function<List<String>, String> answers) {
        this.listening = listening;
        this.answers = answers;
    }

    /**
     * Starts to listen.
     *
     * @param answers the bytes for a command that is not part of the handshake
     */
    public static FakeServer start(Function<List<String>, String> answers) throws IOException {
        return start(InetAddress.getLoopbackAddress(), 0, answers);
    }

    /** The same at a certain address, and at a certain port unless that is 0. */
    public static FakeServer start(InetAddress address, int port, Function<List<String>, String> answers)
            throws IOException {
        FakeServer server = new FakeServer(new ServerSocket(port, 10, address), answers);
        daemon(server::acceptAll);
        return server;
    }

    /** What a server answers that does as it is asked, where the script's own answer is the given one. */
    public static String answerTo(List<String> command, String scriptsAnswer) {
        return switch (command.get(0)) {
            case "SCRIPT" -> bulk(new Script("loaded", command.get(2)).sha1());
            case "PING" -> bulk(command.get(1));
            default -> numbered(numberOf(command), scriptsAnswer);
        };
    }

    /** An answer with a number. */
    public static String numbered(long number, String answer) {
        return "*2\r\n:" + number + "\r\n" + answer;
    }

    /** The number that a script call or a PING was sent with. */
    public static long numberOf(List<String> command) {
        return Long.parseLong(command.get(command.size() - 1));
    }

    private static String bulk(String text) {
        return "$" + text.length() + "\r\n" + text + "\r\n";
    }

    public String url() {
        return "redis://127.0.0.1:" + listening.getLocalPort();
    }

    /** Says something to every client, without being asked. */
    public void say(String bytes) throws IOException {
        for (Socket client : clients) {
            try {
                client.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
            } catch (SocketException hungUp) {
                clients.remove(client);
            }
        }
    }

    /** Hangs up at every client. */
    public void cutAll() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        clients.clear();
    }

    /** Hangs up at every client from now on as soon as it has shaken hands. */
    public void cutsEachThatHasShakenHands() {
        cutting = true;
    }

    /** Takes no client from now on, or takes them again, as a server with all the clients that it may have. */
    public void isFull(boolean hasNoRoom) {
        full = hasNoRoom;
    }

    /** How many clients were not taken since there was no room. */
    public int turnedAway() {
        return turnedAway.get();
    }

    /** INFO says that it is another process. */
    public void runsAs(String runId) {
        information = information.replaceFirst("run_id:.*", "run_id:" + runId);
    }

    /** INFO says that so many replicas are in step. */
    public void hasReplicas(int replicas) {
        for (int i = 0; i < replicas; i++) {
            information += "slave" + i + ":ip=127.0.0.1,port=1,state=online,offset=1,lag=0\r\n";
        }
    }

    /** How many clients have begun to shake hands. */
    public int greeted() {
        return greeted.get();
    }

    public int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    private void acceptAll() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                clients.add(client);
                daemon(() -> serve(client));
            }
        } catch (SocketException closed) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            Set<String> told = new HashSet<>();
            for (List<String> command = read(in); !command.isEmpty(); command = read(in)) {
                client.getOutputStream().write(answer(command).getBytes(StandardCharsets.UTF_8));
                client.getOutputStream().flush();
                told.add(String.join(" ", command));
                if (cutting && told.containsAll(LAST_QUESTIONS)) {
                    return;
                }
            }
        } catch (SocketException hungUp) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String answer(List<String> command) {
        return switch (command.get(0)) {
            case "HELLO" -> {
                if (full) {
                    turnedAway.incrementAndGet();
                    yield "-ERR max number of clients reached\r\n";
                }
                greeted.incrementAndGet();
                yield "%1\r\n$5\r\nproto\r\n:3\r\n";
            }
            case "CLIENT" -> command.get(1).equals("INFO") ? "$19\r\nid=1 addr=1.2.3.4:5\r\n" : ":1\r\n";
            case "INFO" -> command.size() == 1 ? answers.apply(command) : bulk(information);
            case "EVALSHA" ->
                command.get(1).equals(NO_SCRIPT) ? "-NOSCRIPT No matching script.\r\n" : answers.apply(command);
            default -> answers.apply(command);
        };
    }

    /** A command, or nothing at the end of the stream. */
    public static List<String> read(InputStream in) throws IOException {
        String header = readLine(in);
        List<String> words = new ArrayList<>();
        int count = header.isEmpty() ? 0 : Integer.parseInt(header.substring(1));
        for (int i = 0; i < count; i++) {
            int length = Integer.parseInt(readLine(in).substring(1));
            words.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
            readLine(in);
        }
        return words;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "fake-server");
        thread.setDaemon(true);
        thread.start();
    }
}
