package io.holdfast.lock.examples.cluster;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.plural;

import io.holdfast.lock.examples.Timeline;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.testkit.ServerCluster;
import io.holdfast.lock.testkit.SlotMove;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What happens, act by act. Workers work; then a slot is moved from C to A, key by key, while its locks are in use; then A is
 * killed, and its replica has its slots, the moved one among them.
 */
final class ClusterPlay {

    private static final String SOURCE = "C";
    private static final String TARGET = "A";
    private static final long LOOK_MILLIS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Console console;
    private final Timeline timeline;
    private final Nodes nodes;
    private final Work work;
    private final List<String> locks;
    private final NodeLanes lanes = new NodeLanes();
    private final LiveMap map;

    private final Map<String, Long> grantedAt = new TreeMap<>();
    private final Map<String, Long> grantedOf = new HashMap<>();
    /** The primaries that each lock has had, in their order. */
    private final Map<String, List<String>> primariesOf = new HashMap<>();

    private final Set<String> dead = new HashSet<>();
    private final Set<String> grantedAgain = new HashSet<>();
    private SlotTable table;

    ClusterPlay(Console console, Nodes nodes, Work work, List<String> locks) {
        this.console = console;
        this.timeline = new Timeline(console);
        this.nodes = nodes;
        this.work = work;
        this.locks = locks;
        this.map = new LiveMap(locks, nodes.letters(), nodes::isAlive);
        this.table = nodes.table();
    }

    /** The first lock of each primary, and that of the slot that is to be moved among them. */
    static List<String> oneOfEach(List<String> locks, SlotTable table) {
        Map<String, String> first = new TreeMap<>();
        locks.forEach(lock -> first.putIfAbsent(table.primary(ServerCluster.slotOf(lock)), lock));
        return List.copyOf(first.values());
    }

    /** Everything up to the end of the work. */
    void perform(long workMillis, long moveMillis) throws InterruptedException {
        work.order("go");
        watch(workMillis);
        timeline.say(count(work.of(locks).granted()) + " grants; the longest wait took "
                + duration(work.longestOfActNanos(locks)));

        console.heading("A slot moves, key by key, while its locks are in use");
        moveSlot(moveMillis);

        console.heading("A primary dies");
        killPrimary();
        watch(workMillis);
        work.order("stop");
        watchUntil("all workers have gone home", work::isAtHome);
        console.endLive();
    }

    private void moveSlot(long moveMillis) throws InterruptedException {
        String lock = at(SOURCE).get(0);
        int slot = ServerCluster.slotOf(lock);
        long before = work.of(lock).granted();
        work.beginAct();
        SlotMove move = nodes.open(slot, TARGET);
        map.open(slot);
        timeline.say("slot " + count(slot) + " is open: " + lock + " and a watched lock move from " + SOURCE + " to "
                + TARGET);
        watch(moveMillis / 2);
        for (List<String> left = move.keysLeft(); !left.isEmpty(); left = move.keysLeft()) {
            if (move.moveKey(left.get(0))) {
                timeline.say("at " + TARGET + " now: " + left.get(0));
                watch(moveMillis / 2 / left.size());
            }
        }
        move.finish();
        map.closed();
        look();
        timeline.say(console.good("the slot is at " + TARGET) + "; meanwhile " + lock + " was granted "
                + plural(work.of(lock).granted() - before, "time") + ", at most "
                + duration(work.longestOfActNanos(List.of(lock)))
                + " after the call");
    }

    private void killPrimary() throws InterruptedException {
        List<String> here = at(TARGET);
        List<String> elsewhere = new ArrayList<>(locks);
        elsewhere.removeAll(here);
        int slot = ServerCluster.slotOf(here.get(0));
        work.beginAct();
        nodes.kill(TARGET);
        long killedNanos = System.nanoTime();
        dead.add(TARGET);
        here.forEach(lock -> work.order("first " + lock));
        timeline.say(console.bad(TARGET + " killed") + "; it had " + plural(table.count(TARGET), "slot") + " and "
                + plural(here.size(), "lock") + " of the workers");
        watchUntil("the slots of " + TARGET + " have another primary", () -> !table.primary(slot)
                .equals(TARGET));
        timeline.say(console.good(table.primary(slot) + " is the primary of its slots") + ", "
                + duration(System.nanoTime() - killedNanos) + " after the kill");
        watchUntil("the locks of " + TARGET + " are granted again", () -> grantedAgain.containsAll(here));
        timeline.say("all its locks are granted again, " + duration(System.nanoTime() - killedNanos)
                + " after the kill; elsewhere the longest wait took " + duration(work.longestOfActNanos(elsewhere)));
    }

    private List<String> at(String node) {
        return locks.stream()
                .filter(lock -> table.primary(ServerCluster.slotOf(lock)).equals(node))
                .toList();
    }

    private void watch(long millis) throws InterruptedException {
        long startNanos = System.nanoTime();
        do {
            look();
        } while (System.nanoTime() - startNanos < TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void watchUntil(String what, BooleanSupplier condition) throws InterruptedException {
        long startNanos = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - startNanos > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "waited " + duration(PATIENCE.toNanos()) + " in vain (expected: " + what + ")");
            }
            look();
        }
    }

    private void look() throws InterruptedException {
        boolean wasServing = table.isServing();
        table = nodes.table();
        work.listen(grantedAgain::add);
        locks.forEach(this::follow);
        Set<String> primaries = new HashSet<>(nodes.letters());
        primaries.removeIf(node -> table.count(node) == 0);
        lanes.look(timeline.elapsedNanos(), grantedAt, primaries, dead, map.isOpen());
        if (wasServing != table.isServing()) {
            timeline.say(
                    wasServing
                            ? nodes.asked() + " says CLUSTERDOWN: some slots have no primary"
                            : console.good(nodes.asked() + " serves again"));
        }
        show();
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }

    /** What was granted since the last look counts for the primary of now. */
    private void follow(String lock) {
        String primary = table.primary(ServerCluster.slotOf(lock));
        List<String> before = primariesOf.computeIfAbsent(lock, first -> new ArrayList<>());
        if (before.isEmpty() || !before.get(before.size() - 1).equals(primary)) {
            before.add(primary);
        }
        long granted = work.of(lock).granted();
        grantedAt.merge(primary, granted - grantedOf.getOrDefault(lock, 0L), Long::sum);
        grantedOf.put(lock, granted);
    }

    private void show() {
        LockCounts all = work.of(locks);
        String headline = String.format(
                "  %7s  %s grants  longest wait %s  %d lost",
                Text.seconds(timeline.elapsedNanos()),
                count(all.granted()),
                duration(work.longestOfActNanos(locks)),
                all.lost());
        if (console.isLive()) {
            List<String> lines = new ArrayList<>(List.of(headline));
            lines.addAll(map.lines(table, lanes));
            console.live(lines.toArray(String[]::new));
        } else {
            console.live(headline + map.inShort(table, lanes));
        }
    }

    /** The primaries that a lock has had, such as {@code A > D}. */
    String primariesOf(String lock) {
        return String.join(" > ", primariesOf.getOrDefault(lock, List.of()));
    }

    /** How many grants there were while a node was the primary of their slot. */
    long grantedAt(String node) {
        return grantedAt.getOrDefault(node, 0L);
    }

    /** Which node is the primary of which slot at the end. */
    SlotTable table() {
        return table;
    }

    /** The whole run in one picture. */
    List<String> picture() {
        return lanes.lines(nodes.letters());
    }
}
