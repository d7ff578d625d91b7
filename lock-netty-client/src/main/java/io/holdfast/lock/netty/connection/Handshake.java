package io.holdfast.lock.netty.connection;

import io.holdfast.lock.netty.address.Target;
import io.holdfast.lock.netty.credentials.Login;
import io.holdfast.lock.netty.resp.InfoText;
import io.holdfast.lock.netty.resp.RespValue;
import io.holdfast.lock.spi.Fault;
import io.holdfast.lock.spi.Fault.Kind;
import io.holdfast.lock.text.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The first words on a connection: who we are, who the server is, and that our earlier connection must go.
 *
 * <p>HELLO 3 with everything in it, or AUTH and CLIENT SETNAME where the server has no HELLO. Then, for a connection
 * that will carry scripts:
 *
 * <ul>
 *   <li>SELECT of the database, unless it is 0.
 *   <li>CLIENT ID and CLIENT INFO, so that this connection can be killed in its turn.
 *   <li>INFO: the process's run id, its version, whether it might evict locks, and whether it keeps an append-only file.
 *   <li>EVALSHA of no script: a server that says anything but that it runs none may be of use. The answer is an error in
 *       the server's statistics, so a process that has taken a connection of this link is not asked again.
 * </ul>
 *
 * <p>All in one go, unless there were connections before. Then INFO server comes first, since its run id tells which of
 * them were to the same process; CLIENT KILL ends those (rule 5), and then the rest is asked. What such a connection left
 * in the server's buffers would otherwise run behind our back, even after newer commands.
 *
 * <p>What the server is for, its mode and its role, HELLO says, or INFO does ({@link ServerPart}). A connection for
 * scripts refuses a Sentinel and a replica; one for messages gets them from a replica too.
 *
 * <p>Error texts of HELLO and AUTH may quote the password that was sent, so they are never passed on.
 */
final class Handshake {

    /** The connection that it is about. */
    interface Line {

        void send(String... command);

        void accepted(ServerIdentity identity);

        void refused(Fault fault);
    }

    /** What was asked. Not callbacks: the JVM would make a class for each of them while the first lock waits. */
    private enum Question {
        HELLO,
        AUTH,
        CLIENT_SETNAME,
        CLIENT_KILL,
        SELECT,
        CLIENT_ID,
        CLIENT_INFO,
        INFO_MEMORY,
        INFO_REPLICATION,
        INFO_PERSISTENCE,
        INFO_SERVER,
        EVALSHA,
        PING
    }

    /** The digest of no script: SHA-1 gives it for no text that is known. */
    private static final String NO_SCRIPT = "0".repeat(40);

    private static final int MOST_DIGITS = 12;
    /** Redis 7.0, and all of Valkey. */
    private static final int FIRST_WITH_SHARDED_MESSAGES = 7;

    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    private final ConnectionSettings settings;
    private final @Nullable Login login;
    private final EarlierConnections earlier;
    private final boolean forScripts;
    private final Notices notices;
    private final Line line;

    /** The questions without an answer, oldest first. */
    private final Queue<Question> open = new ArrayDeque<>();

    private boolean over;
    private boolean resp3;

    /** Whether all questions were asked. */
    private boolean asked;

    private String runId = "";
    private long upSeconds;
    private boolean appendOnly;
    /** Why nothing can work here; null if scripts are allowed, as far as is known. */
    private @Nullable Fault noScripts;

    private String version = "";
    private String policy = "";
    private String appendOnlyFile = "";
    private long clientId;
    private String clientAddress = "";
    private final ServerPart part = new ServerPart();

    /**
     * @param forScripts whether the connection will carry scripts, as opposed to published messages
     * @param login who we are; null if that is not to be said
     * @param earlier who we were on connections before this one
     * @param localAddress our address as we see it, for a server that doesn't say how it sees it
     */
    Handshake(
            ConnectionSettings settings,
            boolean forScripts,
            @Nullable Login login,
            EarlierConnections earlier,
            String localAddress,
            Notices notices,
            Line line) {
        this.settings = settings;
        this.forScripts = forScripts;
        this.login = login;
        this.earlier = earlier;
        this.clientAddress = localAddress;
        this.notices = notices;
        this.line = line;
    }

    void start() {
        List<String> hello = new ArrayList<>(List.of("HELLO", "3"));
        if (login != null) {
            hello.addAll(List.of("AUTH", login.user(), login.password()));
        }
        hello.addAll(List.of("SETNAME", settings.clientName()));
        ask(Question.HELLO, hello.toArray(new String[0]));
    }

    /** Whether the server took HELLO 3. */
    boolean isResp3() {
        return resp3;
    }

    /** Takes the next answer. */
    void onReply(RespValue reply) {
        Question question = open.poll();
        if (question == null) {
            refuse(Kind.PROTOCOL, "an answer to no question during the handshake");
            return;
        }
        if (over) {
            return;
        }
        switch (question) {
            case HELLO -> onHello(reply);
            case AUTH -> onAuth(reply);
            case CLIENT_SETNAME -> optional(reply);
            case CLIENT_KILL -> onFence(reply);
            case SELECT -> onSelect(reply);
            case CLIENT_ID -> onClientId(reply);
            case CLIENT_INFO -> onClientInfo(reply);
            case INFO_MEMORY -> onInfoMemory(reply);
            case INFO_REPLICATION -> onInfoReplication(reply);
            case INFO_PERSISTENCE -> onInfoPersistence(reply);
            case INFO_SERVER -> onInfoServer(reply);
            case EVALSHA -> onScript(reply);
            case PING -> {}
        }
        if (asked && open.isEmpty()) {
            accept();
        }
    }

    private void onHello(RespValue reply) {
        if (!reply.isError()) {
            if (!reply.isList()) {
                refuse(Kind.NOT_REDIS, "HELLO was not answered with a list");
                return;
            }
            resp3 = true;
            part.learn(reply.entry("mode"), reply.entry("role"));
            version = reply.entry("version");
            if (isWanted()) {
                introduce();
            }
            return;
        }
        Kind kind = ErrorReplies.kind(reply);
        switch (kind) {
            case NOAUTH -> {
                if (login == null) {
                    refuse(kind, "the server wants a password, and none was given");
                } else {
                    // It had one: before the login, Valkey 9.1 says so of commands that it does not know.
                    withoutHello(reply);
                }
            }
            case WRONGPASS -> refuse(kind, "user name or password are wrong, or the user is disabled");
            case NOPERM, SERVER_ERROR -> withoutHello(reply);
            default -> refuse(kind, "HELLO was refused");
        }
    }

    /** The server has no HELLO, or no RESP3, or the user may not say HELLO. */
    private void withoutHello(RespValue refusal) {
        if (refusal.errorCode().equals("DENIED")) {
            refuse(Kind.NOPERM, "the server is in protected mode (expected: one with a password, or on this host)");
            return;
        }
        if (login != null) {
            ask(Question.AUTH, "AUTH", login.user(), login.password());
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
                kind == Kind.SERVER_ERROR ? "user name or password are wrong" : "AUTH was refused");
    }

    private void nameThenIntroduce() {
        ask(Question.CLIENT_SETNAME, "CLIENT", "SETNAME", settings.clientName());
        introduce();
    }

    private void introduce() {
        if (!forScripts) {
            asked = true;
            if (!open.isEmpty()) {
                ask(Question.PING, "PING");
            }
            return;
        }
        if (!part.hasRole()) {
            ask(Question.INFO_REPLICATION, "INFO", "replication");
        }
        asked = earlier.isEmpty();
        if (asked) {
            askForTheConnection();
        }
        ask(Question.INFO_SERVER, "INFO", "server");
    }

    /** Has our earlier connections killed that this process may have. */
    private void fence() {
        boolean addressTells = !(settings.server().target() instanceof Target.SocketFile);
        for (ServerIdentity connection : earlier.at(runId)) {
            String id = Long.toString(connection.clientId());
            if (addressTells && !connection.clientAddress().isEmpty()) {
                ask(Question.CLIENT_KILL, "CLIENT", "KILL", "ID", id, "ADDR", connection.clientAddress());
            } else if (!runId.isEmpty() && runId.equals(connection.runId())) {
                ask(Question.CLIENT_KILL, "CLIENT", "KILL", "ID", id);
            } else {
                // The number may be a stranger's by now.
                notices.noFence("without INFO the server process is unknown");
            }
        }
    }

    private void askForTheConnection() {
        if (settings.server().database() != 0) {
            ask(Question.SELECT, "SELECT", Integer.toString(settings.server().database()));
        }
        ask(Question.CLIENT_ID, "CLIENT", "ID");
        ask(Question.CLIENT_INFO, "CLIENT", "INFO");
        if (!earlier.isAt(runId)) {
            ask(Question.EVALSHA, "EVALSHA", NO_SCRIPT, "0");
        }
        ask(Question.INFO_MEMORY, "INFO", "memory");
        ask(Question.INFO_PERSISTENCE, "INFO", "persistence");
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
            String address = InfoText.field(textOf(reply), "addr=", ' ');
            if (!address.isEmpty()) {
                clientAddress = address;
            }
        }
    }

    private void onInfoMemory(RespValue reply) {
        if (optional(reply)) {
            policy = InfoText.field(textOf(reply), "maxmemory_policy:");
            if (!policy.isEmpty() && !policy.equals("noeviction")) {
                notices.eviction(policy);
            }
        }
    }

    private void onInfoReplication(RespValue reply) {
        if (optional(reply)) {
            part.learn("", InfoText.field(textOf(reply), "role:"));
            isWanted();
        }
    }

    private void onInfoPersistence(RespValue reply) {
        if (optional(reply)) {
            String enabled = InfoText.field(textOf(reply), "aof_enabled:");
            appendOnly = enabled.equals("1");
            appendOnlyFile = enabled.isEmpty() ? "" : appendOnly ? "yes" : "no";
        }
    }

    /**
     * No server has the script; one that runs any says so. What passes, such as a busy script, is no refusal. A Sentinel runs
     * none either, so what the server is comes first.
     */
    private void onScript(RespValue reply) {
        boolean isAbsent = ErrorReplies.isAbsent(reply);
        if (isAbsent || (reply.isError() && ErrorReplies.kind(reply) == Kind.NOPERM)) {
            noScripts = new Fault(
                    isAbsent ? Kind.SERVER_ERROR : Kind.NOPERM,
                    false,
                    settings.node(),
                    "scripts are not allowed, and every step of every lock is one (expected: "
                            + (isAbsent ? "a server that has EVALSHA" : "a user with +evalsha, see docs/acl.md") + "): "
                            + ErrorReplies.detail(reply));
        }
    }

    private void onInfoServer(RespValue reply) {
        if (optional(reply)) {
            String info = textOf(reply);
            part.learn(InfoText.field(info, "redis_mode:"), "");
            // The same in Valkey, from 8.0 on.
            part.learn(InfoText.field(info, "server_mode:"), "");
            if (!isWanted()) {
                return;
            }
            runId = InfoText.field(info, "run_id:");
            upSeconds = Math.max(0, number(InfoText.field(info, "uptime_in_seconds:")));
            String compatible = InfoText.field(info, "redis_version:");
            version = compatible.isEmpty() ? version : compatible;
            if (isTooOld(version)) {
                refuse(
                        Kind.NOT_REDIS,
                        "version " + Printable.of(version) + " is too old (expected: " + OLDEST_MAJOR + "."
                                + OLDEST_MINOR + " or later)");
                return;
            }
        } else if (!over) {
            notices.noInfo(ErrorReplies.detail(reply));
        }
        if (!asked && !over) {
            fence();
            asked = true;
            askForTheConnection();
        }
    }

    /** Whether this server will do, as far as is known. */
    private boolean isWanted() {
        Kind unwanted = part.unwanted();
        if (!forScripts || unwanted == null) {
            return true;
        }
        refuse(unwanted, ServerPart.sentence(unwanted));
        return false;
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
            if (noScripts != null) {
                line.refused(noScripts);
                return;
            }
            if (forScripts) {
                notices.setUp(version, policy, appendOnlyFile);
            }
            boolean shardsMessages = part.isCluster() && major(version) >= FIRST_WITH_SHARDED_MESSAGES;
            line.accepted(new ServerIdentity(
                    runId, upSeconds, appendOnly, clientId, clientAddress, part.isCluster(), shardsMessages));
        }
    }

    private void refuse(Kind kind, String detail) {
        if (!over) {
            over = true;
            line.refused(new Fault(kind, false, settings.node(), detail));
        }
    }

    private void ask(Question question, String... command) {
        open.add(question);
        line.send(command);
    }

    private static String textOf(RespValue reply) {
        String text = reply.text();
        return text == null ? "" : text;
    }

    /** What begins with no two numbers is not known to be too old. */
    private static boolean isTooOld(String version) {
        int dot = version.indexOf('.');
        if (dot < 0) {
            return false;
        }
        long major = major(version);
        long minor = number(version.substring(dot + 1, endOfDigits(version, dot + 1)));
        return major >= 0 && minor >= 0 && (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR));
    }

    /** The first number of a version; -1 if it begins with none. */
    private static long major(String version) {
        int dot = version.indexOf('.');
        return dot < 0 ? -1 : number(version.substring(0, dot));
    }

    /** The number that is written here in digits and nothing else; -1 if it is none. */
    private static long number(String digits) {
        int length = digits.length();
        boolean isNumber = length > 0 && length <= MOST_DIGITS && endOfDigits(digits, 0) == length;
        return isNumber ? Long.parseLong(digits) : -1;
    }

    private static int endOfDigits(String text, int start) {
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end;
    }
}
