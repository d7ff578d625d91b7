package io.holdfast.cli;

import io.holdfast.cli.text.Cells;
import io.holdfast.cli.text.Screen;
import io.holdfast.lock.ClientInfo;
import io.holdfast.lock.FailureReason;
import io.holdfast.lock.Leader;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockInfo;
import io.holdfast.lock.LockServerException;
import io.holdfast.lock.RPermitExpirableSemaphore;
import io.holdfast.lock.text.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A look at everything of one name. The lock, the semaphore, the latch and the election of a name are different objects.
 *
 * @param permits empty if no limit was set, or where semaphores are not supported
 * @param latch what is left to count; empty if it is 0, or where latches are not supported
 */
record Inspection(LockInfo lock, Optional<Permits> permits, Optional<Long> latch, Optional<Leader> leader) {

    private static final int LABEL_WIDTH = 10;
    private static final int UNBOUNDED_WIDTH = 1_000;

    /** A semaphore's permits: the limit, those that are taken, those that are left. */
    record Permits(int limit, int taken, int left) {}

    static Inspection of(LockClient client, String name) {
        LockInfo lock = client.inspect(name);
        return new Inspection(
                lock,
                ifSupported(() -> permits(client.getPermitExpirableSemaphore(name))),
                ifSupported(() ->
                        Optional.of(client.getCountDownLatch(name).getCount()).filter(count -> count > 0)),
                ifSupported(() -> client.getElection(name).leader()));
    }

    private static Optional<Permits> permits(RPermitExpirableSemaphore semaphore) {
        int limit = semaphore.getPermits();
        return limit == 0
                ? Optional.empty()
                : Optional.of(new Permits(limit, semaphore.acquiredPermits(), semaphore.availablePermits()));
    }

    /** Quorums and Redisson's keys have locks only, and some users may read no more than them. */
    private static <T> Optional<T> ifSupported(Supplier<Optional<T>> look) {
        try {
            return look.get();
        } catch (UnsupportedOperationException | IllegalStateException locksOnly) {
            return Optional.empty();
        } catch (LockServerException refused) {
            if (refused.reason() == FailureReason.WRONGTYPE) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    boolean isAnything() {
        return lock.locked()
                || !lock.queue().isEmpty()
                || permits.isPresent()
                || latch.isPresent()
                || leader.isPresent();
    }

    Map<String, Object> json() {
        Map<String, Object> json = LockView.json(lock);
        json.put("semaphore", permits.map(known -> {
            Map<String, Object> semaphore = new LinkedHashMap<>();
            semaphore.put("limit", known.limit());
            semaphore.put("taken", known.taken());
            semaphore.put("left", known.left());
            return semaphore;
        }));
        json.put("latch", latch);
        json.put("leader", leader.map(leading -> {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", leading.id());
            shown.put("term", leading.term());
            shown.put("value", new String(leading.value(), StandardCharsets.UTF_8));
            return shown;
        }));
        return json;
    }

    void print(Screen screen) {
        Instant now = Instant.now();
        field(screen, "name", screen.bold(Printable.of(lock.name())));
        field(screen, "lock", lock.locked() ? screen.doubtful(LockView.mode(lock)) : screen.good("free"));
        lock.timeToLive().ifPresent(left -> field(screen, "left", Cells.shortly(left) + " if it is not renewed"));
        lock.holders().forEach(holder -> print(screen, holder, now));
        queue(screen);
        field(screen, "listeners", String.valueOf(lock.subscribedProcesses()));
        permits.ifPresent(known -> field(
                screen,
                "semaphore",
                known.taken() + " of " + known.limit() + " permits taken, " + known.left() + " left"));
        latch.ifPresent(count -> field(screen, "latch", count + " to go"));
        leader.ifPresent(leading -> field(
                screen, "leader", Printable.of(leading.id()) + ", term " + leading.term() + value(leading.value())));
    }

    private static String value(byte[] value) {
        return value.length == 0 ? "" : ", value " + Printable.of(new String(value, StandardCharsets.UTF_8));
    }

    private static void print(Screen screen, LockInfo.Holder holder, Instant now) {
        field(screen, "holder", LockView.holder(holder) + (holder.reads() ? " (reads)" : ""));
        field(screen, "  owner", Printable.of(holder.owner()));
        holder.since()
                .ifPresent(since ->
                        field(screen, "  since", since + ", " + Cells.shortly(Duration.between(since, now)) + " ago"));
        holder.fencingToken().ifPresent(token -> field(screen, "  token", String.valueOf(token)));
        if (holder.holdCount() != 1) {
            field(
                    screen,
                    "  levels",
                    holder.holdCount() == 0
                            ? "0 (reserved, or of an earlier version)"
                            : String.valueOf(holder.holdCount()));
        }
        holder.client().ifPresent(client -> print(screen, client, now));
        if (holder.mayHaveHandedOn()) {
            field(screen, "  note", "its process may have handed the lock on among its own calls");
        }
    }

    private static void print(Screen screen, ClientInfo client, Instant now) {
        field(
                screen,
                "  client",
                "Holdfast " + Printable.of(client.version()) + ", up for "
                        + Cells.shortly(Duration.between(client.since(), now)));
    }

    private void queue(Screen screen) {
        List<String> queue = lock.queue();
        for (int i = 0; i < queue.size(); i++) {
            field(screen, i == 0 ? "queue" : "", (i + 1) + ". " + Printable.of(queue.get(i)));
        }
    }

    /** A label and its text, which goes on below itself where the line is full. */
    private static void field(Screen screen, String label, String text) {
        int room = screen.width() == Screen.UNBOUNDED ? UNBOUNDED_WIDTH : screen.width() - LABEL_WIDTH - 1;
        String rest = text;
        String start = label;
        // Colours have no width, and only short texts have them.
        while (!rest.contains("\u001b") && Cells.width(rest) > room) {
            int cut =
                    rest.offsetByCodePoints(0, Math.min(rest.codePointCount(0, rest.length()), Math.max(1, room / 2)));
            int blank = rest.lastIndexOf(' ', Math.min(room, rest.length() - 1));
            cut = Cells.width(rest) == rest.length() ? (blank > room / 2 ? blank : room) : cut;
            screen.line(screen.dim(Cells.fit(start, LABEL_WIDTH)) + " " + rest.substring(0, cut));
            rest = rest.substring(cut).stripLeading();
            start = "";
        }
        screen.line(screen.dim(Cells.fit(start, LABEL_WIDTH)) + " " + rest);
    }
}
