package io.holdfast.lock.tests.simulation;

import io.holdfast.lock.engine.kind.Queued;
import io.holdfast.lock.tests.simulation.Awaited.Fate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.LuaString;

/**
 * ORD and LV of conditions: what becomes of calls that await (rules 63, 64). From the requests that a server executes follows which
 * calls each signal has to move; the data says which it moved.
 *
 * <p>A signal moves the first call whose client has asked within its presence, or all of them, and a repeated one moves no more. No
 * call goes otherwise but by a word of its own client.
 */
final class ConditionChecker {

    private static final long MILLI = 1_000_000;
    private static final long PRESENCE_NANOS = MILLI * Queued.PRESENCE_MILLIS;
    /** Clocks drift by half a percent. */
    private static final long UNSURE_NANOS = 100 * MILLI;

    private static final long LATE_NANOS = 700 * MILLI;
    private static final int MOST_MOVED = 500;

    private final World world;
    private final Function<String, @Nullable Awaited> ofOwner;
    private final BooleanSupplier keepsAllPlaces;
    private final Map<String, Line> lines = new HashMap<>();
    private long lostDataNanos = -2 * PRESENCE_NANOS;

    /** One condition. */
    private static final class Line {

        final List<Awaited> awaiting = new ArrayList<>();
        /** When each client asked last. */
        final Map<String, Long> askedNanos = new HashMap<>();
        /** The signals that have moved a call. */
        final Set<String> signals = new HashSet<>();
    }

    /**
     * @param ofOwner the call of an owner, of which each awaits once
     * @param keepsAllPlaces whether no client that is there may lose its place
     */
    ConditionChecker(World world, Function<String, @Nullable Awaited> ofOwner, BooleanSupplier keepsAllPlaces) {
        this.world = world;
        this.ofOwner = ofOwner;
        this.keepsAllPlaces = keepsAllPlaces;
    }

    /** What waits may be anywhere now, or nowhere. */
    void lostData() {
        lostDataNanos = world.nanos();
        for (Line line : lines.values()) {
            line.awaiting.forEach(each -> each.becomes(Fate.ADRIFT));
            line.awaiting.clear();
        }
    }

    private boolean isInDoubt() {
        return world.nanos() - lostDataNanos < PRESENCE_NANOS;
    }

    // --- after each script ---

    void ran(Request request, Keyspace data) {
        boolean awaits = request.isCallOf("cond-await");
        boolean parts = request.isCallOf("cond-part");
        if (!awaits && !parts && !request.isCallOf("cond-signal")) {
            return;
        }
        Line line = lines.computeIfAbsent(request.key(6).tojstring(), first -> new Line());
        if (!awaits && !parts) {
            signalled(line, request, data);
            return;
        }
        String field = request.argument(1).tojstring();
        Awaited call = ofOwner.apply(field.substring(0, field.lastIndexOf(':')));
        if (call == null) {
            return;
        }
        if (parts) {
            line.awaiting.remove(call);
            call.becomes(Fate.PARTED);
        } else {
            call.field = field;
            line.askedNanos.put(client(field), world.nanos());
            asked(line, call, request, data);
        }
    }

    private void asked(Line line, Awaited call, Request request, Keyspace data) {
        boolean leaves = request.argument(5).tojstring().equals("1");
        boolean isIn = isIn(data, request, call);
        call.granted |= data.hexists(request.key(1), request.argument(1));
        switch (call.fate) {
            case COMES -> {
                call.becomes(isIn ? Fate.AWAITS : leaves ? Fate.LEFT : Fate.ADRIFT);
                if (isIn) {
                    line.awaiting.add(call);
                }
            }
            case AWAITS -> {
                if (leaves && isIn) {
                    world.fail("LV", call + ": leaves, and is still there");
                } else if (!leaves && !isIn && keepsAllPlaces.getAsBoolean() && !isInDoubt()) {
                    world.fail("ORD", call + ": is gone, and was neither signalled nor has it left");
                }
                if (leaves || !isIn) {
                    line.awaiting.remove(call);
                    call.becomes(leaves ? Fate.LEFT : Fate.ADRIFT);
                }
            }
            default -> {
                if (isIn && !isInDoubt()) {
                    world.fail("ORD", call + ": is in the condition again");
                }
            }
        }
    }

    private static boolean isIn(Keyspace data, Request request, Awaited call) {
        return data.zscore(request.key(6), LuaString.valueOf("w" + call.field)) != null;
    }

    private void signalled(Line line, Request request, Keyspace data) {
        String id = request.argument(2).tojstring();
        boolean all = request.argument(3).tojstring().equals("1");
        boolean holds = data.hexists(request.key(1), request.argument(1));
        List<Awaited> before = List.copyOf(line.awaiting);
        List<Awaited> moved = new ArrayList<>();
        for (Awaited call : before) {
            if (!isIn(data, request, call)) {
                boolean isQueued = data.zscore(request.key(4), LuaString.valueOf("w" + call.field)) != null;
                call.becomes(isQueued ? Fate.SIGNALLED : Fate.ADRIFT);
                line.awaiting.remove(call);
                if (isQueued) {
                    moved.add(call);
                } else if (isPresent(line, call) && !isInDoubt()) {
                    world.fail("ORD", call + ": has vanished with a signal");
                }
            }
        }
        boolean repeated = line.signals.contains(id);
        if (!moved.isEmpty()) {
            line.signals.add(id);
        }
        if (!isInDoubt()) {
            judge(line, before, moved, holds && !repeated, all);
        }
    }

    private void judge(Line line, List<Awaited> before, List<Awaited> moved, boolean counts, boolean all) {
        List<Awaited> present =
                before.stream().filter(call -> isPresent(line, call)).toList();
        if (!counts && !all && !moved.isEmpty()) {
            world.fail("ORD", moved + ": moved by a signal that was given before, or without the lock");
        } else if (counts && !all && (moved.size() > 1 || (moved.isEmpty() && !present.isEmpty()))) {
            world.fail("ORD", moved + ": moved by one signal, though there are " + present);
        } else if (counts && !all && !moved.isEmpty() && !present.isEmpty()) {
            if (before.indexOf(moved.get(0)) > before.indexOf(present.get(0))) {
                world.fail("ORD", moved + ": moved by a signal, though before it came " + present.get(0));
            }
        } else if (counts && all && before.size() <= MOST_MOVED && !moved.containsAll(present)) {
            world.fail("ORD", moved + ": moved by a signal for all of " + present);
        }
    }

    /** Whether its client has surely been there lately. */
    private boolean isPresent(Line line, Awaited call) {
        String field = call.field;
        Long asked = field == null ? null : line.askedNanos.get(client(field));
        return asked != null && world.nanos() - asked < PRESENCE_NANOS - UNSURE_NANOS;
    }

    private static String client(String field) {
        return field.substring(0, field.indexOf(':'));
    }

    // --- from time to time ---

    /** With everything in order, a call leaves its condition when its time is over. */
    void look(Collection<Awaited> calls, long calmFromNanos) {
        for (Awaited call : calls) {
            if (call.limitMillis >= 0 && call.fate == Fate.AWAITS && call.client.isRunning() && !call.isOver()) {
                long due = call.startNanos + call.limitMillis * MILLI / 100 * 101 + LATE_NANOS;
                if (world.nanos() > Math.max(Math.max(due, calmFromNanos), call.client.wokenNanos() + LATE_NANOS)) {
                    world.fail("LV", call + ": has not left when its time was over");
                }
            }
        }
    }
}
