package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first words on a connection: who we are, who the server is, and that our earlier connection must go.
 *
 * <p>HELLO 3 with everything in it, or AUTH and CLIENT SETNAME where the server has no HELLO. Then, for a connection
 * that will carry scripts and all in one go:
 *
 * <ul>
 *   <li>CLIENT KILL of the connection before this one (rule 5). What that one left in the server's buffers would
 *       otherwise run behind our back, even after newer commands.
 *   <li>SELECT of the database, unless it is 0.
 *   <li>CLIENT ID and CLIENT INFO, so that this connection can be killed in its turn.
 *   <li>INFO: the process's run id, its version, and whether it might evict locks.
 * </ul>
 *
 * <p>Error texts of HELLO and AUTH may quote the password that was sent, so they are never passed on.
 */
final class Handshake {

    /** What comes of it. */
    interface Outcome {

        void accepted(ServerIdentity identity);

        void refused(Fault fault);
    }

    private static final Pattern ADDRESS_FIELD = Pattern.compile("\\baddr=(\\S+)");
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");
    private static final String DEFAULT_USER = "default";
    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    private final ConnectionSettings settings;
    private final @Nullable ServerIdentity previous;
    private final boolean forScripts;
    private final Notices notices;
    private final Consumer<String[]> out;
    private final Outcome outcome;

    private final ArrayDeque<Consumer<RespValue>> awaited = new ArrayDeque<>();
    private boolean over;

    private String runId = "";
    private long upSeconds;
    private long clientId;
    private String clientAddress = "";

    /**
     * @param forScripts whether the connection will carry scripts, as opposed to published messages
     * @param previous who we were on the connection before this one, if its remains may still do harm
     * @param localAddress our address as we see it, for a server that doesn't say how it sees it
     * @param out takes commands to be sent
     */
    Handshake(
            ConnectionSettings settings,
            boolean forScripts,
            @Nullable ServerIdentity previous,
            String localAddress,
            Notices notices,
            Consumer<String[]> out,
            Outcome outcome) {
        this.settings = settings;
        this.forScripts = forScripts;
        this.previous = previous;
        this.clientAddress = localAddress;
        this.notices = notices;
        this.out = out;
        this.outcome = outcome;
    }

    void start() {
        List<String> hello = new ArrayList<>(List.of("HELLO", "3"));
        String password = settings.server().password();
        if (password != null) {
            hello.addAll(List.of("AUTH", user(), password));
        }
        hello.addAll(List.of("SETNAME", settings.clientName()));
        ask(this::onHello, hello.toArray(String[]::new));
    }

    /** Takes the next answer. */
    void onReply(RespValue reply) {
        Consumer<RespValue> step = awaited.poll();
        if (step == null) {
            refuse(Kind.PROTOCOL, "an answer to no question during the handshake");
        } else if (!over) {
            step.accept(reply);
        }
    }

    private void onHello(RespValue reply) {
        if (!reply.isError()) {
            if (!reply.isList()) {
                refuse(Kind.NOT_REDIS, "HELLO was not answered with a list");
                return;
            }
            introduce();
            return;
        }
        Kind kind = ErrorReplies.kind(reply);
        switch (kind) {
            case NOAUTH -> refuse(kind, "the server wants a password, and none was given");
            case WRONGPASS -> refuse(kind, "user name or password are wrong, or the user is disabled");
            case NOPERM, SERVER_ERROR -> withoutHello(reply);
            default -> refuse(kind, ErrorReplies.detail(reply));
        }
    }

    /** The server has no HELLO, or no RESP3, or the user may not say HELLO. */
    private void withoutHello(RespValue refusal) {
        if (refusal.errorCode().equals("DENIED")) {
            refuse(Kind.NOPERM, ErrorReplies.detail(refusal));
            return;
        }
        String password = settings.server().password();
        if (password != null) {
            ask(this::onAuth, "AUTH", user(), password);
        } else {
            nameThenIntroduce();
        }
    }

    private void onAuth(RespValue reply) {
        if (!reply.isError()) {
            nameThenIntroduce();
            return;
        }
        Kind kind = ErrorReplies.kind(reply);
        refuse(
                kind == Kind.SERVER_ERROR ? Kind.WRONGPASS : kind,
                "AUTH was answered with " + reply.errorCode() + ": user name or password are wrong");
    }

    private void nameThenIntroduce() {
        ask(this::optional, "CLIENT", "SETNAME", settings.clientName());
        introduce();
    }

    private void introduce() {
        if (!forScripts) {
            if (awaited.isEmpty()) {
                accept();
            } else {
                ask(reply -> accept(), "PING");
            }
            return;
        }
        if (previous != null && previous.canBeFenced()) {
            ask(
                    this::onFence,
                    "CLIENT",
                    "KILL",
                    "ID",
                    Long.toString(previous.clientId()),
                    "ADDR",
                    previous.clientAddress());
        }
        if (settings.server().database() != 0) {
            ask(this::onSelect, "SELECT", Integer.toString(settings.server().database()));
        }
        ask(this::onClientId, "CLIENT", "ID");
        ask(this::onClientInfo, "CLIENT", "INFO");
        ask(this::onInfoMemory, "INFO", "memory");
        ask(this::onInfoServer, "INFO", "server");
    }

    private void onFence(RespValue reply) {
        if (!reply.isError() || ErrorReplies.detail(reply).contains("No such client")) {
            return;
        }
        Kind kind = ErrorReplies.kind(reply);
        if (kind.isTransient() || kind == Kind.NOAUTH) {
            refuse(kind, ErrorReplies.detail(reply));
        } else {
            notices.noFence(ErrorReplies.detail(reply));
        }
    }

    private void onSelect(RespValue reply) {
        if (reply.isError()) {
            refuse(
                    ErrorReplies.kind(reply),
                    "SELECT " + settings.server().database() + ": " + ErrorReplies.detail(reply));
        }
    }

    private void onClientId(RespValue reply) {
        if (optional(reply) && reply.kind() == RespValue.Kind.INTEGER) {
            clientId = reply.integer();
        } else if (!over) {
            notices.noFence("no answer to CLIENT ID");
        }
    }

    private void onClientInfo(RespValue reply) {
        if (optional(reply)) {
            Matcher address = ADDRESS_FIELD.matcher(textOf(reply));
            if (address.find()) {
                clientAddress = address.group(1);
            }
        }
    }

    private void onInfoMemory(RespValue reply) {
        if (optional(reply)) {
            String policy = field(textOf(reply), "maxmemory_policy");
            if (!policy.isEmpty() && !policy.equals("noeviction")) {
                notices.eviction(policy);
            }
        }
    }

    private void onInfoServer(RespValue reply) {
        if (optional(reply)) {
            String info = textOf(reply);
            runId = field(info, "run_id");
            upSeconds = seconds(field(info, "uptime_in_seconds"));
            String version = field(info, "redis_version");
            if (isTooOld(version)) {
                refuse(
                        Kind.NOT_REDIS,
                        "version " + version + " is too old (expected: " + OLDEST_MAJOR + "." + OLDEST_MINOR
                                + " or later)");
                return;
            }
        } else if (!over) {
            notices.noInfo(ErrorReplies.detail(reply));
        }
        accept();
    }

    /** Whether there is an answer. What a user is not allowed to ask is left unknown; other errors end the handshake. */
    private boolean optional(RespValue reply) {
        if (!reply.isError()) {
            return true;
        }
        Kind kind = ErrorReplies.kind(reply);
        if (kind.isTransient() || kind == Kind.NOAUTH) {
            refuse(kind, ErrorReplies.detail(reply));
        }
        return false;
    }

    private void accept() {
        if (!over) {
            over = true;
            outcome.accepted(new ServerIdentity(runId, upSeconds, clientId, clientAddress));
        }
    }

    private void refuse(Kind kind, String detail) {
        if (!over) {
            over = true;
            outcome.refused(new Fault(kind, false, settings.node(), detail));
        }
    }

    private void ask(Consumer<RespValue> onReply, String... command) {
        awaited.add(onReply);
        out.accept(command);
    }

    private String user() {
        String user = settings.server().user();
        return user == null ? DEFAULT_USER : user;
    }

    private static String textOf(RespValue reply) {
        String text = reply.text();
        return text == null ? "" : text;
    }

    private static String field(String info, String name) {
        String start = name + ":";
        return info.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).trim())
                .findFirst()
                .orElse("");
    }

    private static long seconds(String digits) {
        return digits.matches("\\d{1,12}") ? Long.parseLong(digits) : 0;
    }

    private static boolean isTooOld(String version) {
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.matches()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        int minor = Integer.parseInt(numbers.group(2));
        return major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    }
}
