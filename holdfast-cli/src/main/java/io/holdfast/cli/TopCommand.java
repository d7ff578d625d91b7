package io.holdfast.cli;

import io.holdfast.cli.run.Exit;
import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockQuery;
import io.holdfast.lock.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The locks of a store, refreshed in place. */
@Command(
        name = "top",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Shows a table of locks that is refreshed in place: the longest waited for first.",
        description = {
            "Keys: w, h, l and n sort by waiters, time held, time left and name; / filters, Escape ends that; q ends.",
            "Without a terminal it prints a table every --interval.",
            "",
            "Exit status: 0."
        })
final class TopCommand implements Callable<Integer> {

    private static final Duration SHORTEST = Duration.ofMillis(200);
    /** Looks cost the servers requests: no more than a tenth of the time is spent on them. */
    private static final long COST_FACTOR = 10;
    /** The lines above and below the locks. */
    private static final int FRAME = 3;

    @Parameters(arity = "0..1", paramLabel = "PATTERN", description = "As list has it. Without it: all locks.")
    private String pattern = "*";

    @Option(names = "--sort", paramLabel = "ORDER", description = "waiters, held, left or name. Default: waiters.")
    private ListCommand.Order order = ListCommand.Order.WAITERS;

    @Option(names = "--interval", paramLabel = "TIME", description = "The time between two looks. Default: 2 s.")
    private Duration interval = Duration.ofSeconds(2);

    @Option(names = "--count", paramLabel = "N", description = "End after so many looks.")
    private long count = Long.MAX_VALUE;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Mixin
    private ScreenOptions shown = new ScreenOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    private String filter = "";
    private boolean typing;
    private boolean ended;
    private List<LockInfo> locks = List.of();
    private String trouble = "";

    @Override
    public Integer call() throws InterruptedException, IOException {
        Holdfast.checkInterval(command, interval, SHORTEST);
        Screen screen = shown.screen();
        try (LockClient client = store.connect()) {
            if (!screen.terminal() || !Terminal.isInput()) {
                plainly(client, screen);
                return Exit.OK;
            }
            try (RawTerminal terminal = RawTerminal.open()) {
                inPlace(client, screen, terminal);
            }
            return Exit.OK;
        } catch (IllegalArgumentException refused) {
            throw Holdfast.usage(command, String.valueOf(refused.getMessage()));
        }
    }

    private void plainly(LockClient client, Screen screen) throws InterruptedException {
        LockTable table = new LockTable(screen.width());
        for (long i = 0; i < count; i++) {
            Thread.sleep(i == 0 ? 0 : interval.toMillis());
            look(client);
            screen.line((i == 0 ? "" : "\n") + summary());
            screen.line(table.header());
            wanted().forEach(lock -> screen.line(table.row(lock, Instant.now())));
        }
    }

    private void inPlace(LockClient client, Screen screen, RawTerminal terminal) throws IOException {
        for (long i = 0; i < count && !ended; i++) {
            long begun = System.nanoTime();
            look(client);
            long tookNanos = System.nanoTime() - begun;
            long until = System.nanoTime() + Math.max(interval.toNanos(), tookNanos * COST_FACTOR);
            do {
                paint(screen, terminal);
                terminal.key(Math.max(
                                1, Duration.ofNanos(until - System.nanoTime()).toMillis()))
                        .ifPresent(this::pressed);
            } while (!ended && System.nanoTime() < until);
        }
    }

    private void look(LockClient client) {
        try (Stream<LockInfo> all = client.locks(LockQuery.pattern(pattern))) {
            locks = all.toList();
            trouble = "";
        } catch (LockException refused) {
            trouble = String.valueOf(refused.getMessage());
        }
    }

    private List<LockInfo> wanted() {
        String sought = filter.toLowerCase(Locale.ROOT);
        return locks.stream()
                .filter(lock -> (Printable.of(lock.name()) + " " + LockView.holders(lock))
                        .toLowerCase(Locale.ROOT)
                        .contains(sought))
                .sorted(order.comparator())
                .toList();
    }

    private String summary() {
        long waiting = locks.stream().filter(lock -> LockView.waiters(lock) > 0).count();
        return locks.size() + (locks.size() == 1 ? " lock, " : " locks, ") + waiting + " waited for, by "
                + order.name().toLowerCase(Locale.ROOT) + (filter.isEmpty() ? "" : ", filter: " + filter)
                + (trouble.isEmpty() ? "" : "; not asked: " + trouble);
    }

    private void paint(Screen screen, RawTerminal terminal) {
        int width = shown.screen().width();
        LockTable table = new LockTable(width);
        StringBuilder frame = new StringBuilder();
        add(frame, screen.bold(Cells.cut(summary(), width)));
        add(frame, screen.dim(table.header()));
        List<LockInfo> wanted = wanted();
        int room = Math.max(1, terminal.lines() - FRAME);
        wanted.stream().limit(room).forEach(lock -> add(frame, table.row(lock, Instant.now())));
        String more = wanted.size() > room ? wanted.size() - room + " more; " : "";
        String keys = typing ? "filter: " + filter + "_" : more + "w h l n: sort, /: filter, q: quit";
        terminal.show(frame + screen.dim(Cells.cut(keys, width)));
    }

    private static void add(StringBuilder frame, String line) {
        frame.append(line).append(RawTerminal.END_OF_LINE);
    }

    private void pressed(int key) {
        if (typing) {
            type(key);
            return;
        }
        switch (key) {
            case 'q', RawTerminal.CTRL_C, RawTerminal.END -> ended = true;
            case '/' -> typing = true;
            case 'w' -> order = ListCommand.Order.WAITERS;
            case 'h' -> order = ListCommand.Order.HELD;
            case 'l' -> order = ListCommand.Order.LEFT;
            case 'n' -> order = ListCommand.Order.NAME;
            default -> {
                // No key of this command.
            }
        }
    }

    private void type(int key) {
        switch (key) {
            case RawTerminal.CTRL_C, RawTerminal.END -> ended = true;
            case RawTerminal.ENTER, RawTerminal.NEW_LINE -> typing = false;
            case RawTerminal.ESCAPE -> {
                typing = false;
                filter = "";
            }
            case RawTerminal.BACKSPACE, RawTerminal.DELETE ->
                filter = filter.isEmpty() ? filter : filter.substring(0, filter.length() - 1);
            default -> filter = key < ' ' ? filter : filter + (char) key;
        }
    }
}
