package io.holdfast.lock.engine.kind;

import io.holdfast.lock.spi.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The scripts, each read from its {@code .lua} file behind what they share. */
public final class Scripts {

    private static final String FOLDER = "/io/holdfast/lock/engine/";
    private static final String COMMON = read("common.lua");
    /** What all queues share, and behind it what queued locks share or semaphores do. */
    private static final String LINE = read("line.lua") + "\n";

    private static final String QUEUE = read("queue.lua") + "\n";
    private static final String PERMITS = read("permits.lua") + "\n";
    private static final String NODES = read("nodes.lua") + "\n";
    private static final String TURNS = read("turns.lua") + "\n";

    public static final Script ACQUIRE = load("acquire");
    /** Takes a lock of a slot that is being moved, without a token yet. */
    public static final Script TAKE = load("take");

    public static final Script MINT = urgent("mint");
    public static final Script CONFIRM = urgent("confirm");
    /** Ends what one key of a lock of such a slot has of a hold or a place. */
    static final Script LEAVE = urgent("leave");

    /** Tells at the node that such a slot leaves what the next node has told. */
    public static final Script TELL = urgent("tell");

    /** Takes places out of a queue whose calls have left. */
    public static final Script SWEEP = alone("sweep");

    /** Looks at the readers or the queue of a lock of such a slot. */
    public static final Script MEMBERS = alone("members");

    static final Script REENTER = urgent("reenter");
    static final Script RELEASE = urgent("release");
    static final Script TRANSFER = urgent("transfer");
    static final Script TURN_ACQUIRE = behindCommon("turn-acquire", whereWanted("turn-acquire"));
    static final Script TURN_RELEASE = urgentBehindCommon("turn-release", whereWanted("turn-release"));
    static final Script TURN_TRANSFER = urgentBehindCommon("turn-transfer", TURNS + read("turn-transfer.lua"));
    public static final Script RENEW = urgent("renew");
    /** Takes back the word of a client. */
    public static final Script TURN_GIVE_UP = behindCommon("turn-give-up", TURNS + read("turn-give-up.lua"));

    static final Script TURN_PROPOSE = behindCommon("turn-propose", TURNS + NODES + read("turn-propose.lua"));
    public static final Script PROPOSE = behindCommon("propose", NODES + read("propose.lua"));
    public static final Script ADOPT = urgentBehindCommon("adopt", NODES + read("adopt.lua"));
    public static final Script JOIN = urgentBehindCommon("join", NODES + read("join.lua"));
    public static final Script READ_PROPOSE =
            behindCommon("read-propose", NODES + LINE + QUEUE + read("read-propose.lua"));
    public static final Script READ_ADOPT = urgentBehindCommon("read-adopt", NODES + read("read-adopt.lua"));
    public static final Script READ_JOIN =
            urgentBehindCommon("read-join", NODES + LINE + QUEUE + read("read-join.lua"));
    public static final Script MARK = urgent("mark");
    public static final Script MARKED = urgent("marked");
    static final Script FORCE = urgent("force");
    public static final Script QUEUE_JOIN = queued("queue-join");
    public static final Script QUEUE_PART = urgentQueued("queue-part");
    public static final Script QUEUE_FORCE = urgentQueued("queue-force");
    public static final Script KEEP = urgent("keep");
    public static final Script PERMIT_JOIN = ofPermits("permit-join");
    public static final Script PERMIT_PART = urgentOfPermits("permit-part");
    public static final Script PERMIT_KEEP = urgent("permit-keep");

    /** Sets the limit of a semaphore. */
    public static final Script PERMIT_LIMIT = ofPermits("permit-limit");

    /** Looks at a semaphore. */
    public static final Script PERMIT_LOOK = alone("permit-look");

    public static final Script COND_AWAIT = ofCondition("cond-await");
    public static final Script COND_SIGNAL = ofCondition("cond-signal");
    public static final Script COND_PART = ofCondition("cond-part");
    public static final Script INSPECT = load("inspect");
    public static final Script FENCED_SET = load("fenced-set");
    public static final Script FENCED_GET = load("fenced-get");

    /** Writes down what a client says of itself. */
    public static final Script RECORD = alone("record");

    /** Reads what clients say of themselves. */
    public static final Script CLIENTS = alone("clients");

    /** Looks at many locks at once. */
    public static final Script SCAN = alone("scan");

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
                RIGHTS);
    }

    /** A script of a kind that is not among these, behind what all of them share. */
    public static Script behindCommon(String name, String text) {
        return new Script(name, COMMON + "\n" + text);
    }

    /** The same for what is held or was asked for already. */
    public static Script urgentBehindCommon(String name, String text) {
        return Script.urgent(name, COMMON + "\n" + text);
    }

    private static Script queued(String name) {
        return behindCommon(name, LINE + QUEUE + read(name + ".lua"));
    }

    private static Script urgentQueued(String name) {
        return urgentBehindCommon(name, LINE + QUEUE + read(name + ".lua"));
    }

    private static Script ofPermits(String name) {
        return behindCommon(name, LINE + PERMITS + read(name + ".lua"));
    }

    private static Script urgentOfPermits(String name) {
        return urgentBehindCommon(name, LINE + PERMITS + read(name + ".lua"));
    }

    /** A script of conditions. Each of them gives a lock up, or is the holder's. */
    private static Script ofCondition(String name) {
        return urgentBehindCommon(name, LINE + QUEUE + read("cond.lua") + "\n" + read(name + ".lua"));
    }

    /** A script that needs nothing of what the others share. */
    private static Script alone(String name) {
        return new Script(name, read(name + ".lua"));
    }

    private static Script load(String name) {
        return behindCommon(name, read(name + ".lua"));
    }

    /** A script whose second part is for a lock that other clients want: what turns need stands in between, and costs no other call. */
    private static String whereWanted(String name) {
        return read(name + ".lua") + "\n" + TURNS + read(name + "-wanted.lua");
    }

    /** A script for what is held or was asked for already: it never waits behind acquisitions (rule 80). */
    private static Script urgent(String name) {
        return urgentBehindCommon(name, read(name + ".lua"));
    }

    static String read(String file) {
        try (InputStream in = Scripts.class.getResourceAsStream(FOLDER + file)) {
            if (in == null) {
                throw new IllegalStateException("the script " + file + " is missing from the jar of lock-core");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the script " + file + " cannot be read", unreadable);
        }
    }
}
