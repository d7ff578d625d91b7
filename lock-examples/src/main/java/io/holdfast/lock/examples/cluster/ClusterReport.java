package io.holdfast.lock.examples.cluster;

import static io.holdfast.lock.examples.console.Text.count;
import static io.holdfast.lock.examples.console.Text.duration;
import static io.holdfast.lock.examples.console.Text.plural;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHold;
import io.holdfast.lock.examples.console.Console;
import io.holdfast.lock.examples.console.Table;
import io.holdfast.lock.examples.console.Text;
import io.holdfast.lock.testkit.ServerCluster;
import java.util.ArrayList;
import java.util.List;

/** What a run has come to: the picture, the tables, and whether all is as it should be. */
final class ClusterReport {

    private final Console console;
    private final Nodes nodes;
    private final Work work;
    private final ClusterPlay play;
    private final List<String> locks;

    ClusterReport(Console console, Nodes nodes, Work work, ClusterPlay play, List<String> locks) {
        this.console = console;
        this.nodes = nodes;
        this.work = work;
        this.play = play;
        this.locks = locks;
    }

    /** Prints it all; whether each number is what was counted, tokens only rose, and no watched lock was lost. */
    boolean conclude(WatchedLocks watched, LockClient numbers) {
        console.heading("The run: what each node granted; - is a replica, x a dead node");
        console.print(play.picture().toArray(String[]::new));
        console.print("");
        console.print(nodeTable().lines());
        console.print("");
        long wrong = 0;
        Table table = lockTable();
        for (String lock : locks) {
            LockCounts counts = work.of(lock);
            long number =
                    numbers.getFencedValue(lock).get().map(Long::parseLong).orElse(0L);
            wrong += Math.abs(counts.counted() - number);
            table.row(row(lock, counts, number));
        }
        console.print(table.lines());
        console.print("");
        console.print(watchedTable(watched).lines());
        return judge(wrong, watched);
    }

    private Table nodeTable() {
        Table table = new Table("node", "at first", "at the end", "slots", "grants");
        for (String node : nodes.letters()) {
            int slots = play.table().count(node);
            boolean alive = nodes.isAlive(node);
            table.row(
                    node,
                    nodes.letters().indexOf(node) < nodes.letters().size() / 2 ? "primary" : "replica",
                    alive ? slots > 0 ? "primary" : "replica" : new Table.Cell("killed", console::bad),
                    count(slots),
                    count(play.grantedAt(node)));
        }
        return table;
    }

    private Table lockTable() {
        List<String> header = new ArrayList<>(List.of("lock", "slot", "at"));
        for (int process = 1; process <= work.processes(); process++) {
            header.add("by " + process);
        }
        header.addAll(List.of("longest wait", "lost", "number"));
        return new Table(header.toArray(String[]::new));
    }

    private Object[] row(String lock, LockCounts counts, long number) {
        List<Object> cells = new ArrayList<>(List.of(lock, count(ServerCluster.slotOf(lock)), play.primariesOf(lock)));
        for (int process = 1; process <= work.processes(); process++) {
            cells.add(count(work.of(process, lock).granted()));
        }
        cells.add(duration(work.longestWaitNanos(lock)));
        cells.add(new Table.Cell(count(counts.lost()), counts.lost() == 0 ? console::good : console::doubtful));
        cells.add(new Table.Cell(count(number), number == counts.counted() ? console::good : console::bad));
        return cells.toArray();
    }

    private Table watchedTable(WatchedLocks watched) {
        Table table = new Table("watched lock", "slot", "held for", "state");
        for (LockHold hold : watched.holds()) {
            String loss = watched.loss(hold);
            table.row(
                    hold.name(),
                    count(ServerCluster.slotOf(hold.name())),
                    Text.seconds(watched.heldNanos()),
                    new Table.Cell(loss.isEmpty() ? "kept" : loss, loss.isEmpty() ? console::good : console::bad));
        }
        return table;
    }

    private boolean judge(long wrong, WatchedLocks watched) {
        LockCounts all = work.of(locks);
        boolean rose = all.fallen() == 0;
        console.print(
                "",
                "by 1: grants to workers of process 1; number: how often all have raised it",
                all.lost() == 0
                        ? console.good("no lock of a worker was lost")
                        : console.doubtful(plural(all.lost(), "lock")
                                + " of workers lost: granted in the dead primary's last moment"),
                plural(all.failed(), "call") + " failed and made again; " + plural(all.refused(), "write")
                        + " refused, for a newer token",
                rose ? console.good("tokens only rose") : console.bad(plural(all.fallen(), "token") + " did not rise"),
                watched.areAllHeld()
                        ? console.good("no watched lock was lost")
                        : console.bad("watched locks were lost"),
                wrong == 0
                        ? console.good("each number is what was counted: no two workers had a lock at once")
                        : console.bad(plural(wrong, "count") + " lost"));
        return wrong == 0 && rose && watched.areAllHeld();
    }
}
