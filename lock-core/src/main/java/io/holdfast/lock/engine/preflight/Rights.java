package io.holdfast.lock.engine.preflight;

import static io.holdfast.lock.Finding.Severity.NOTE;
import static io.holdfast.lock.Finding.Severity.PROBLEM;
import static io.holdfast.lock.Finding.Severity.WARNING;

import io.holdfast.lock.Finding.Severity;
import io.holdfast.lock.engine.kind.Scripts;
import io.holdfast.lock.engine.preflight.Right.Use;
import io.holdfast.lock.spi.Survey;
import java.util.ArrayList;
import java.util.List;

/** The rights that the client uses. Those without which no step works are named by the documentation, too (acl.md). */
final class Rights {

    /** The two that run scripts: without the first nothing works. */
    static final String RUN = "evalsha";

    static final String RUN_TEXT = "eval";

    static final String LOAD = "script|load";

    /** A right of which the script that asks for rights tells wherever it runs. */
    static final String TOLD_BY_THE_SCRIPT = "exists";

    /** The two of messages that stay within a shard of a cluster. */
    static final String SHARDED_PUBLISH = "spublish";

    static final String SHARDED_SUBSCRIBE = "ssubscribe";

    /** The two that tell which node of a cluster has which slot: one is enough. */
    static final String MAP = "cluster|shards";

    static final String OLD_MAP = "cluster|slots";

    private static final String NO_FENCE =
            "After a reconnect, a request that the server had not read yet may leave a lock behind that no client holds,"
                    + " for one lease";

    private static final String NO_QUEUES = "Fair and read/write locks and semaphores fail with NOPERM";

    /** What plain locks need, too, to go from client to client by turns. */
    private static final List<String> TURNS = List.of("zadd", "zrange", "zrem", "zscore");

    private static final String NO_TURNS =
            "; clients that share a plain lock take no turns: one of them may have it for half a second while others wait";

    private static final String STEP = "Steps that need it fail with NOPERM";

    static final List<Right> ALL = all();

    private Rights() {}

    private static List<Right> all() {
        List<Right> rights = new ArrayList<>();
        // DEL before HSET: the script undoes the second by the first.
        for (String step : List.of(
                "exists KEY",
                "hget KEY f",
                "hdel KEY f",
                "del KEY",
                "hset KEY f v",
                "hexists KEY f",
                "hkeys KEY",
                "hlen KEY",
                "hstrlen KEY f",
                "pexpire KEY 1",
                "pttl KEY",
                "get KEY",
                "set KEY v XX",
                "time")) {
            rights.add(used(step.split(" ", -1)[0], step, PROBLEM, STEP));
        }
        for (String step : List.of(
                "hmget KEY f",
                "pexpireat KEY 1",
                "zadd KEY XX 1 m",
                "zcard KEY",
                "zcount KEY 0 0",
                "zrange KEY 0 0",
                "zrangebyscore KEY 0 0",
                "zrank KEY m",
                "zrem KEY m",
                "zremrangebyscore KEY 0 0",
                "zscore KEY m")) {
            String name = step.split(" ", -1)[0];
            rights.add(used(name, step, NOTE, TURNS.contains(name) ? NO_QUEUES + NO_TURNS : NO_QUEUES));
        }
        rights.add(used("zmscore", "zmscore KEY m", NOTE, "Semaphores give no permits; nothing else needs it"));
        for (String step : List.of("sadd KEY f", "scard KEY", "persist KEY")) {
            rights.add(used(step.split(" ", -1)[0], step, NOTE, "Count-down latches fail; nothing else needs it"));
        }
        rights.add(used(
                "type",
                "type KEY",
                NOTE,
                "A latch or signal whose key holds something else fails without saying what that is"));
        messages(rights);
        rights.add(used(
                "scan", "scan 0 count 1", NOTE, "The locks of a store can't be listed; inspect still tells of each"));
        rights.add(used("ping", "ping", NOTE, "A refusal is the sign of life of a quiet connection"));
        rights.add(used("client|id", "client id", WARNING, NO_FENCE));
        rights.add(used("client|info", "client info", WARNING, NO_FENCE));
        rights.add(used("client|kill", "client kill id 1", WARNING, NO_FENCE));
        rights.add(used(
                "info",
                "info",
                WARNING,
                "Restarts, replicas and the eviction policy go unnoticed, and most of this diagnosis is not known"));
        rights.add(used(
                LOAD,
                "script load x",
                WARNING,
                "A script that the server does not know is sent as a whole, by EVAL; without that right too, every call fails"
                        + " after a restart until an administrator has loaded the scripts"));
        rights.add(used(
                RUN_TEXT,
                "eval x 0",
                NOTE,
                "A script that the server does not know has to be loaded, by SCRIPT LOAD or by an administrator"));
        rights.add(new Right(
                "config|get",
                "config get x",
                Use.ALWAYS,
                NOTE,
                "The time limit of scripts is not known; locks need no CONFIG"));
        rights.add(new Right(
                "wait",
                "wait 1 1",
                Use.WITH_REPLICAS,
                NOTE,
                "Grants can't be made to wait for replicas: the option waitForReplicas would refuse all"));
        rights.add(new Right(
                "waitaof",
                "waitaof 1 1 1",
                Use.WITH_DISKS,
                NOTE,
                "Grants can't be made to wait for disks: the option waitForReplicasOnDisk would refuse all"));
        ofClusters(rights);
        return List.copyOf(rights);
    }

    private static void messages(List<Right> rights) {
        for (Use use : List.of(Use.UNSHARDED, Use.SHARDED)) {
            String s = use == Use.SHARDED ? "s" : "";
            String count = use == Use.SHARDED ? "shardnumsub" : "numsub";
            rights.add(new Right(
                    s + "publish",
                    s + "publish CHANNEL diagnosis",
                    use,
                    WARNING,
                    "Waiters of other clients are not told of a release, and look every 5 s"));
            rights.add(new Right(
                    "pubsub|" + count,
                    "pubsub " + count + " CHANNEL",
                    use,
                    NOTE,
                    "inspect says of each lock that no client listens for its release"));
            rights.add(new Right(
                    s + "subscribe",
                    s + "subscribe CHANNEL",
                    use,
                    WARNING,
                    "Waiters hear of no release, and look every 250 ms to 1 s"));
            rights.add(new Right(
                    s + "unsubscribe",
                    s + "unsubscribe CHANNEL",
                    use,
                    NOTE,
                    "Subscriptions stay until their connection ends"));
        }
    }

    private static void ofClusters(List<Right> rights) {
        rights.add(new Right(
                "asking",
                "asking",
                Use.IN_A_CLUSTER,
                WARNING,
                "Calls for a lock whose slot is being moved fail with ASK once its key has moved"));
        rights.add(new Right(
                OLD_MAP,
                "cluster slots",
                Use.AT_ONE_NODE,
                NOTE,
                "Which node keeps a slot is only known by refusals: a lock of another node's slot fails with MOVED"));
        rights.add(new Right(
                MAP,
                "cluster shards",
                Use.JUDGED_TOGETHER,
                NOTE,
                "Which primaries have failed is not known to the client, which asks CLUSTER SLOTS: a call waits until its"
                        + " connection has been silent for too long"));
        rights.add(new Right(
                "cluster|info",
                "cluster info",
                Use.IN_A_CLUSTER,
                NOTE,
                "Whether the node calls the cluster down is not known; locks need no CLUSTER INFO"));
        rights.add(
                new Right(
                        "cluster|nodes",
                        "cluster nodes",
                        Use.IN_A_CLUSTER,
                        NOTE,
                        "Which slots are being moved, and which replicas have failed, is not known; locks need no CLUSTER NODES"));
    }

    private static Right used(String name, String command, Severity severity, String consequence) {
        return new Right(name, command, Use.ALWAYS, severity, consequence);
    }

    /** What servers are asked. */
    static Survey survey(Reliance reliance) {
        return new Survey(
                Scripts.RIGHTS,
                reliance.names()::in,
                ALL.stream().map(Right::command).toList(),
                ALL.stream().map(Right::name).toList());
    }
}
