package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Json;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The locks of a store. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Lists locks: holder, how long, how much is left, waiters.",
        description = {
            "Prints locks as they are found, or, with --sort, when all are. A server looks at all of its keys for that. "
                    + "Semaphores and latches are not listed: see 'holdfast inspect NAME'.",
            "",
            "HELD is the time since the lock was taken, LEFT the time until its lease runs out if it is not renewed. "
                    + "WAIT is the number of calls in the queue, or without one of connections that listen for the release.",
            "",
            "Exit status: 0 if a lock was found, 1 if none was."
        })
final class ListCommand implements Callable<Integer> {

    /** How locks can be ordered. */
    enum Order {
        NAME,
        HELD,
        LEFT,
        WAITERS;

        Comparator<LockInfo> comparator() {
            Comparator<LockInfo> first =
                    switch (this) {
                        case NAME -> Comparator.comparing(LockInfo::name);
                        case HELD ->
                            Comparator.comparing(
                                    lock -> LockView.held(lock, Instant.EPOCH)
                                            .orElse(Duration.ofSeconds(Long.MIN_VALUE)),
                                    Comparator.reverseOrder());
                        case LEFT ->
                            Comparator.comparing(lock -> lock.timeToLive().orElse(Duration.ofSeconds(Long.MAX_VALUE)));
                        case WAITERS -> Comparator.comparing(LockView::waiters, Comparator.reverseOrder());
                    };
            return first.thenComparing(LockInfo::name);
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            description = "* is any text, ? a character, [a-f] one of several. Without it: all locks.")
    private String pattern = "*";

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            description = "held or waiters, the greatest first; left, the least first; or name.")
    private @Nullable Order order;

    @Option(
            names = "--held-by",
            paramLabel = "TEXT",
            description = "Only locks with this in application, host or owner.")
    private @Nullable String heldBy;

    @Option(names = "--waited-for", description = "Only locks with waiters.")
    private boolean waitedFor;

    @Option(names = "--limit", paramLabel = "N", description = "End after so many locks.")
    private long limit = Long.MAX_VALUE;

    @Option(
            names = "--max-keys",
            paramLabel = "N",
            description = "Look at so many keys of each server. Default: 10000000.")
    private long maxKeys;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        LockQuery query = query();
        Screen screen = shown.screen();
        long begun = System.nanoTime();
        try (LockClient client = store.connect();
                Stream<LockInfo> all = client.locks(query)) {
            Stream<LockInfo> found = all.filter(this::isWanted);
            // An iterator, since a stream looks at a page more before it ends at a limit.
            Stream<LockInfo> sorted = order == null ? found : found.sorted(order.comparator());
            long count = print(sorted.iterator(), screen);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            screen.say((count == 1 ? "1 lock" : count + " locks") + " in " + Cells.shortly(took)
                    + (count == limit ? "; ended at --limit" : "")
                    + (maxKeys > 0 ? "; looked at " + maxKeys + " keys of each server at most" : ""));
            return count == 0 ? Exit.NOTHING : Exit.OK;
        }
    }

    private LockQuery query() {
        if (limit < 1) {
            throw Holdfast.usage(command, "--limit: " + limit + " (expected: 1 or more)");
        }
        try {
            LockQuery query = LockQuery.pattern(pattern);
            return maxKeys == 0 ? query : query.withMaxKeys(maxKeys);
        } catch (IllegalArgumentException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }

    private boolean isWanted(LockInfo lock) {
        return (!waitedFor || LockView.waiters(lock) > 0)
                && (heldBy == null || lock.holders().stream().anyMatch(this::isBy));
    }

    private boolean isBy(LockInfo.Holder holder) {
        String sought = String.valueOf(heldBy).toLowerCase(Locale.ROOT);
        return LockView.holder(holder).toLowerCase(Locale.ROOT).contains(sought)
                || holder.owner().toLowerCase(Locale.ROOT).contains(sought);
    }

    private long print(Iterator<LockInfo> locks, Screen screen) {
        LockTable table = new LockTable(screen.width());
        long count = 0;
        while (count < limit && locks.hasNext()) {
            LockInfo lock = locks.next();
            if (shown.json()) {
                screen.line(Json.of(LockView.json(lock)));
            } else {
                if (count == 0) {
                    screen.line(screen.bold(table.header()));
                }
                screen.line(table.row(lock, Instant.now()));
            }
            count++;
        }
        return count;
    }
}
