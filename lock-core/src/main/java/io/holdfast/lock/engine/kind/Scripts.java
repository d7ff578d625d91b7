package io.holdfast.lock.engine.kind;

import io.holdfast.lock.spi.Script;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The scripts, each read from its {@code .lua} file behind what they share. */
public final class Scripts {

    /** The most locks, readers, permits or records that one call for many of them may name. */
    public static final int MOST_FOR_EACH = Assembly.MOST;

    private static final String FOLDER = "/io/holdfast/lock/engine/";
    /** The files that scripts of a kind share, behind what all share. */
    private static final List<String> QUEUE = List.of("line", "queue");

    private static final List<String> PERMITS = List.of("line", "permits");
    private static final List<String> CONDITIONS = List.of("line", "queue", "cond");
    private static final List<String> NODES = List.of("nodes");
    private static final List<String> QUEUE_OVER_NODES = List.of("nodes", "line", "queue");
    private static final List<String> TURNS = List.of("turns");
    private static final List<String> TURNS_OVER_NODES = List.of("turns", "nodes");

    public static final Script ACQUIRE = load("acquire");
    /** Takes a lock of a slot that is being moved, without a token yet. */
    public static final Script TAKE = load("take");

    public static final Script MINT = urgent("mint");
    public static final Script CONFIRM = urgent("confirm");
    /** Ends what one key of a lock of such a slot has of a hold or a place. */
    static final Script LEAVE = urgent("leave");

    /** Tells at the node that such a slot leaves what the next node has told. */
    public static final Script TELL = Script.ofCommand("tell", true, "PUBLISH", () -> read("tell"));

    /** Takes places out of a queue whose calls have left. */
    public static final Script SWEEP = alone("sweep");

    /** Looks at the readers or the queue of a lock of such a slot. */
    public static final Script MEMBERS = alone("members");

    static final Script REENTER = urgent("reenter");
    static final Script RELEASE = urgent("release");
    static final Script TRANSFER = urgent("transfer");
    static final Script TURN_ACQUIRE = Script.later("turn-acquire", false, () -> whereWanted("turn-acquire"));
    static final Script TURN_RELEASE = Script.later("turn-release", true, () -> whereWanted("turn-release"));
    static final Script TURN_TRANSFER = urgent(TURNS, "turn-transfer");
    public static final Script RENEW = urgent("renew");
    /** Takes back the word of a client. */
    public static final Script TURN_GIVE_UP = load(TURNS, "turn-give-up");

    static final Script TURN_PROPOSE = load(TURNS_OVER_NODES, "turn-propose");
    public static final Script PROPOSE = load(NODES, "propose");
    public static final Script ADOPT = urgent(NODES, "adopt");
    public static final Script JOIN = urgent(NODES, "join");
    public static final Script READ_PROPOSE = load(QUEUE_OVER_NODES, "read-propose");
    public static final Script READ_ADOPT = urgent(NODES, "read-adopt");
    public static final Script READ_JOIN = urgent(QUEUE_OVER_NODES, "read-join");
    public static final Script MARK = urgent("mark");
    public static final Script MARKED = urgent("marked");
    static final Script FORCE = urgent("force");
    public static final Script QUEUE_JOIN = load(QUEUE, "queue-join");
    public static final Script QUEUE_PART = urgent(QUEUE, "queue-part");
    public static final Script QUEUE_FORCE = urgent(QUEUE, "queue-force");
    public static final Script KEEP = urgent("keep");
    public static final Script PERMIT_JOIN = load(PERMITS, "permit-join");
    public static final Script PERMIT_PART = urgent(PERMITS, "permit-part");
    public static final Script PERMIT_KEEP = urgent("permit-keep");

    /** Sets the limit of a semaphore. */
    public static final Script PERMIT_LIMIT = load(PERMITS, "permit-limit");

    /** Looks at a semaphore. */
    public static final Script PERMIT_LOOK = alone("permit-look");

    public static final Script COND_AWAIT = urgent(CONDITIONS, "cond-await");
    public static final Script COND_SIGNAL = urgent(CONDITIONS, "cond-signal");
    public static final Script COND_PART = urgent(CONDITIONS, "cond-part");
    public static final Script INSPECT = load("inspect");
    public static final Script FENCED_SET = load("fenced-set");
    public static final Script FENCED_GET = load("fenced-get");

    /** Writes down what a client says of itself. */
    public static final Script RECORD = alone("record");

    /** Reads what clients say of themselves. */
    public static final Script CLIENTS = alone("clients");

    /** Names a page of the keys that a server has. */
    public static final Script SCAN = Script.ofCommand("scan", false, "SCAN", () -> read("scan"));

    /** Looks at many locks at once. */
    public static final Script LOOKS = alone("looks");

    /** Says what the user may run; shares nothing with the others. */
    public static final Script RIGHTS = alone("rights");

    private Scripts() {}

    /** All of them, with those of the failover guard, and of what is no lock. */
    public static List<Script> all() {
        return Stream.of(unguarded(), GuardedScripts.all(), SharedScripts.all())
                .flatMap(List::stream)
                .toList();
    }

    static List<Script> unguarded() {
        return List.of(
                ACQUIRE,
                TAKE,
                MINT,
                CONFIRM,
                LEAVE,
                TELL,
                SWEEP,
                MEMBERS,
                REENTER,
                RELEASE,
                TRANSFER,
                TURN_ACQUIRE,
                TURN_RELEASE,
                TURN_TRANSFER,
                TURN_GIVE_UP,
                TURN_PROPOSE,
                RENEW,
                PROPOSE,
                ADOPT,
                JOIN,
                READ_PROPOSE,
                READ_ADOPT,
                READ_JOIN,
                MARK,
                MARKED,
                FORCE,
                QUEUE_JOIN,
                QUEUE_PART,
                QUEUE_FORCE,
                KEEP,
                PERMIT_JOIN,
                PERMIT_PART,
                PERMIT_KEEP,
                PERMIT_LIMIT,
                PERMIT_LOOK,
                COND_AWAIT,
                COND_SIGNAL,
                COND_PART,
                INSPECT,
                FENCED_SET,
                FENCED_GET,
                RECORD,
                CLIENTS,
                SCAN,
                LOOKS,
                RIGHTS);
    }

    private static Script load(String name) {
        return load(List.of(), name);
    }

    static Script load(List<String> shared, String name) {
        return Script.later(name, false, () -> behindCommon(shared, name));
    }

    private static Script urgent(String name) {
        return urgent(List.of(), name);
    }

    static Script urgent(List<String> shared, String name) {
        return Script.later(name, true, () -> behindCommon(shared, name));
    }

    /** A script that needs nothing of what the others share. */
    private static Script alone(String name) {
        return Script.later(name, false, () -> Assembly.of("", read(name)));
    }

    private static String behindCommon(List<String> shared, String name) {
        StringBuilder before = new StringBuilder(read("common")).append('\n');
        shared.forEach(file -> before.append(read(file)).append('\n'));
        return Assembly.of(before.toString(), read(name));
    }

    /** A script whose second part is for a lock that other clients want: what turns need stands in between, and costs no other call. */
    private static String whereWanted(String name) {
        return Assembly.of(read("common") + "\n", read(name), read("turns") + "\n", read(name + "-wanted"));
    }

    /** The text of a script's file. */
    static String read(String name) {
        String file = name + ".lua";
        try (InputStream in = Scripts.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException(
                        "the script " + Printable.of(file) + " is missing from the jar of lock-core");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + Printable.of(file) + " cannot be read", unreadable);
        }
    }
}
